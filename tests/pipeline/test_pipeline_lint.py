"""The linter on the rules that ship, and on small trees of rules with one thing wrong in each."""
from __future__ import annotations

import shutil

import pytest

from evidial_rules import resources
from evidial_rules.contract import DIMENSIONS
from evidial_rules.pipeline.lint import Finding, lint
from evidial_rules.resources import resource


def entry(name="en.sleep.x", any="[bad night]", sense="symptom", components="[onset]", yes="bad night", no="good day",
          **more):
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    return f"  - {{id: {name}, sense: {sense}, components: {components}, any: {any}, yes: {yes}, no: {no}{extra}}}\n"


def cue(name, category, any, yes, no, **more):
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    return f"  - {{id: {name}, set: {category}, any: {any}, yes: {yes}, no: {no}{extra}}}\n"


def lexicon(dimension, *rules, topics=""):
    return f"version: 1\ndimension: {dimension}\n{topics}" + ("entries:\n" + "".join(rules) if rules else "")


TOPIC = "topics:\n  - {{id: {0}.sleep.topic, kinds: [noun], components: [ALL], words: [{1}]}}\n"
WORDS = {  # a word, a negation, a time, a yes, a retraction, a subject, a topic, good
    "en": ("rubbish", "not", "yesterday", "yes", "scratch that", "she", "sleep", "fine"),
    "zh": ("糟糕", "没有", "昨天", "是的", "收回", "她", "睡眠", "很好"),
}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """The smallest tree of rules that lints clean; write(path, text) changes a file."""
    root = tmp_path / "root"
    shutil.copytree(resource("grammars", "instruments"), root / "grammars" / "instruments")
    for name, (_, negation, day, yes, retract, she, topic, good) in WORDS.items():
        grammar, words = root / "grammars" / name, root / "lexicons" / name
        grammar.mkdir(parents=True)
        words.mkdir(parents=True)
        for dimension in DIMENSIONS:
            text = lexicon(dimension, topics=TOPIC.format(name, topic) if dimension == "sleep" else "")
            (words / f"{dimension}.yaml").write_text(text, encoding="utf-8")
        shutil.copy(resource("grammars", name, "clauses.yaml"), grammar)
        if name == "zh":
            text = "version: 1\nconnectives: {contrast: [但]}\nobject_before: []\nraising: []\n"
            (grammar / "clauses.yaml").write_text(text, encoding="utf-8")
        table = "{dont: do not}" if name == "en" else "{啥: 什么}"
        (grammar / "normalise.yaml").write_text(f"version: 1\nwords: {table}\n", encoding="utf-8")
        (grammar / "macros.yaml").write_text(f"version: 1\nmacros:\n  good: [{good}]\n", encoding="utf-8")
        (grammar / "compose.yaml").write_text(
            f"version: 1\ntemplates:\n  - {{id: {name}.noun.good, kind: noun, sense: health, any: ['{{T}} {{good}}'], "
            f"yes: {topic} {good}, no: {good}}}\n", encoding="utf-8")
        for file, category, word in (("assertion", "negation", negation), ("time", "interval", day),
                                     ("answers", "yes", yes),
                                     ("withdrawal", "retract", retract), ("subject", "third", she)):
            more = {"value": "[2, 1]"} if file == "time" else {}
            rule = cue(f"{name}.{file}.x", f'"{category}"', f'["{word}"]', f'"{word}"', '"qqq"', **more)
            (grammar / f"{file}.yaml").write_text(f"version: 1\nrules:\n{rule}", encoding="utf-8")
    (root / "grammars" / "zh" / "traditional.yaml").write_text("version: 1\ntraditional: 沒\nsimplified: 没\n",
        encoding="utf-8")
    monkeypatch.setattr(resources, "_root", lambda package=None: root)
    monkeypatch.setattr(resources, "_shipped", resources._load)

    class Tree:
        folder = root

        @staticmethod
        def write(path, text):
            (root / path).write_text(text, encoding="utf-8")

        @staticmethod
        def add(path, text):
            with (root / path).open("a", encoding="utf-8") as stream:
                stream.write(text)

        @staticmethod
        def sleep(*rules):
            (root / "lexicons/en/sleep.yaml").write_text(lexicon("sleep", *rules, topics=TOPIC.format("en", "sleep")),
                                                         encoding="utf-8")

    return Tree


def said(findings, severity="error"):
    return [f"{f.file}: {f.rule}: {f.problem}" for f in findings if f.severity == severity]


def test_the_smallest_tree_is_clean(tree):
    assert lint() == []


def test_a_finding_is_a_value():
    finding = Finding("lexicons/en/sleep.yaml", "en.sleep.x", "expected ...", "error")
    assert finding == Finding("lexicons/en/sleep.yaml", "en.sleep.x", "expected ...", "error")
    with pytest.raises(AttributeError):
        finding.rule = "other"


SAYS = "wordings:\n  - {{id: {0}, name: {1}, {2}, yes: we try it, no: we tried it}}\n"


@pytest.mark.parametrize(("rule", "words"), [
    (("en.x", "purpose", "regex: ' try '"), None),
    (("en.x", "purpose", "any: [try]"), None),
    (("zh.x", "purpose", "regex: try"), "starts with en."),
    (("en.answers.x", "purpose", "regex: try"), "an id that no other rule has"),
    (("en.x", "no_such_name", "regex: ' try '"), "name to be one of"),
    (("en.x", "purpose", "regex: 'try('"), "a regular expression"),
    (("en.x", "purpose", "regex: '(?:t+)+ry '"), "a bound on what repeats"),
    (("en.x", "purpose", "any: ['(try']"), "a closing"),
    (("en.x", "purpose", "any: ['{later}']"), "a known macro"),
    (("en.x", "purpose", "regex: ' tries '"), "found in its example yes: 'we try it'"),
    (("en.x", "purpose", "regex: 'tr'"), "not to be found in its example no: 'we tried it'"),
    (("en.x", "purpose", "regex: try, words: [try]"), "exactly one of regex, any, words"),
])
def test_a_wording_is_checked(tree, rule, words):
    tree.write("grammars/en/questions.yaml", "version: 1\nrules: []\n" + SAYS.format(*rule))
    found = [f for f in said(lint()) if "questions.yaml" in f]
    assert found == [] if words is None else any(words in f for f in found)


def test_a_wording_beside_the_clauses_is_checked(tree):
    _, entry = SAYS.format("en.x", "no_such_name", "regex: ' try '").split("\n", 1)
    tree.add("grammars/en/clauses.yaml", entry)
    assert any("clauses.yaml: en.x: expected name to be one of" in f for f in said(lint()))


# one thing wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "rule", "words"), [
    ([entry(components="[appetite_loss]")], "en.sleep.x", "components of sleep (onset, maintenance"),
    ([entry(components="[]")], "en.sleep.x", "components, or ALL"),
    ([entry(components="[ALL, onset]")], "en.sleep.x", "ALL to stand alone"),
    ([entry(if_negated="[guilt]")], "en.sleep.x", "components of sleep"),
    ([entry(dimension="any")], "en.sleep.x", "only a mask"),
    ([entry(dimension="hunger")], "en.sleep.x", "a dimension out of depressed_mood"),
    ([entry(dimension="fatigue")], "en.sleep.x", "components of fatigue"),
    ([entry("de.sleep.x")], "de.sleep.x", "starts with en."),
    ([entry(), entry(any="[worse night]", yes="worse night")], "en.sleep.x", "an id that no other rule has"),
    ([entry("en.noun.good")], "en.noun.good", "an id that no other rule has"),
    ([entry(any="['nights?']")], "en.sleep.x", "no '?' in 'nights?'"),
    ([entry(any="['(bad|poor)? night']")], "en.sleep.x", "'?' after a bracket"),
    ([entry(any="['bad .* night']")], "en.sleep.x", "no"),
    ([entry(any="['night+']")], "en.sleep.x", "no '+'"),
    ([entry(any="['bad\\night']")], "en.sleep.x", "no"),
    ([entry(any="['Night*']")], "en.sleep.x", "* ends a plain English word"),
    ([entry(any="['(bad night']")], "en.sleep.x", "a closing"),
    ([entry(any="['bad ~ night']")], "en.sleep.x", "operators with their numbers"),
    ([entry(any="['bad ~40 night']")], "en.sleep.x", "a gap of at most"),
    ([entry(any="['{nothing} night']")], "en.sleep.x", "a known macro"),
    ([entry(any="['<!(so [very]) bad night']")], "en.sleep.x", "plain words"),
    ([entry(any="['[bad] [night]']")], "en.sleep.x", "cannot match nothing"),
    ([entry(yes="good day")], "en.sleep.x", "to be found in its example yes: 'good day'"),
    ([entry(yes="''")], "en.sleep.x", "an example in yes"),
    ([entry(no="'a bad night'")], "en.sleep.x", "not to be found in its example no: 'a bad night'"),
    ([entry("en.sleep.long", any="[very bad night]", yes="very bad night"), entry(yes="very bad night")], "en.sleep.x",
     "found there: en.sleep.long"),
    ([entry("en.sleep.mask", any="[good night]", sense="mask", components="[]", yes="bad night")], "en.sleep.mask",
     "to be found"),
    ([entry("en.sleep.mask", any="[bad night]", sense="mask", components="[]"), entry()], "en.sleep.x",
     "do not always win over (en.sleep.mask)"),
    ([entry("en.sleep.y"), entry()], "en.sleep.x", "do not always win over (en.sleep.y)"),
])
def test_a_lexicon_rule_with_one_thing_wrong(tree, rules, rule, words):
    tree.sleep(*rules)
    errors = said(lint())
    assert any(one.startswith(f"lexicons/en/sleep.yaml: {rule}: ") and words in one for one in errors) \
        or any(one.startswith(f"grammars/en/compose.yaml: {rule}: ") and words in one for one in errors), errors
    assert all(f": {rule}: " in one for one in errors), errors


@pytest.mark.parametrize(("rules", "words"), [
    ([entry(any="[bad night, bad night]")], "occur twice: 'bad night'"),
    ([entry(any="[bad night, 'Bad  night']")], "occur twice"),
    ([entry(negated="weak", sense="health")], "negated: weak says nothing"),
    ([entry("en.sleep.y", any="[poor night, other night]", yes="poor night", sense="health"),
      entry(any="[bad night, poor night]")],
     "always give way to en.sleep.y, which says something else: 'poor night'"),
    ([entry("en.sleep.y", any="[poor night, other night]", yes="poor night"), entry(any="[bad night, poor night]")],
     "always give way to en.sleep.y, which says the same: 'poor night'"),
    ([entry("en.sleep.y", any="[so poor ~1 night, other night]", yes="other night", sense="health"),
      entry(any="[bad night, so poor ~1 night]")],
     "always give way to en.sleep.y"),
    ([entry(any="[bad night, dont sleep night]")], None),
])
def test_what_is_worth_a_look(tree, rules, words):
    tree.sleep(*rules)
    findings = lint()
    assert said(findings) == []
    warnings = said(findings, "warning")
    assert warnings == [] if words is None else [one for one in warnings if words in one], warnings


def test_a_condition_of_its_own_keeps_a_rule_alive(tree):
    tree.sleep(entry("en.sleep.y", any="['bad night !(again)']", no="bad night again"),
               entry(any="[bad night again]", yes="bad night again"))
    assert lint() == []


def test_wordings_that_the_clean_up_changes(tree):
    tree.write("grammars/en/normalise.yaml", "version: 1\nphrases: {a lot: alot}\n")
    tree.sleep(entry(any="[bad night, a lot of night]"))
    [warning] = said(lint(), "warning")
    assert warning == "lexicons/en/sleep.yaml: en.sleep.x: the clean-up leaves no text for 'a lot of night'"


@pytest.mark.parametrize(("path", "text", "where", "words"), [
    ("grammars/en/normalise.yaml", "version: 1\nwords: {Dont: do not}\n", "Dont", "lower case"),
    ("grammars/en/normalise.yaml", "version: 1\nwords: {a lot: alot}\n", "a lot", "one word"),
    ("grammars/en/normalise.yaml", "version: 1\ncolours: {}\n", "the file itself", "colours"),
    ("grammars/zh/traditional.yaml", "version: 1\ntraditional: 沒著\nsimplified: 没\n", "the file itself",
     "as many simplified"),
    ("grammars/en/macros.yaml", "version: 1\nmacros: {good: [fine], bad: ['(awful']}\n", "{bad}", "a closing"),
    ("grammars/en/macros.yaml", "version: 1\nmacros: {good: [fine], bad: []}\n", "{bad}", "an alternative"),
    ("grammars/en/more_macros.yaml", "version: 1\nmacros: {good: [grand]}\n", "{good}", "a new name"),
    ("grammars/en/macros.yaml", "version: 1\nmacros: {good: ['{fine}'], fine: ['{good}']}\n", "{good}", "circle"),
    ("grammars/en/compose.yaml",
     "version: 1\ntemplates:\n  - {id: en.x.y, kind: ability, sense: health, any: ['{T}'], yes: a, no: b}\n",
     "en.x.y", "a topic of kind ability"),
    ("grammars/en/compose.yaml",
     "version: 1\ntemplates:\n  - {id: en.x.y, kind: noun, sense: health, any: ['fine {good}'], yes: a, no: b}\n",
     "en.x.y", "{T}, {ING} or {PAST}"),
    ("grammars/en/clauses.yaml", "version: 1\n", "the file itself", "connectives"),
    ("grammars/zh/clauses.yaml", "version: 1\nconnectives: {oddity: [但]}\nobject_before: []\nraising: []\n", "oddity",
     "a class out of contrast"),
    ("grammars/instruments/MINE.yaml", "name: MINE\n", "the file itself", "this key"),
    ("lexicons/en/sleep.yaml", "version: 1\ndimension: fatigue\n", "the file itself",
     "the dimension that the file's name has"),
    ("lexicons/en/sleep.yaml", lexicon("sleep", entry(colour="red")), "en.sleep.x", "colour"),
    ("lexicons/en/sleep.yaml", lexicon("sleep", entry(sense="odd")), "en.sleep.x", "sense"),
    ("lexicons/en/hunger.yaml", "version: 1\ndimension: hunger\n", "the file itself",
     "the dimension that the file's name has"),
])
def test_a_file_with_one_thing_wrong(tree, path, text, where, words):
    tree.write(path, text)
    errors = said(lint())
    assert [one for one in errors if one.startswith(path) and f": {where}: " in one and words in one], errors


def test_a_lexicon_that_is_not_there(tree):
    (tree.folder / "lexicons/zh/fatigue.yaml").unlink()
    assert said(lint()) == ["lexicons/zh/fatigue.yaml: the file itself: expected a lexicon of every dimension"]


@pytest.mark.parametrize(("rule", "words"), [
    (cue("en.time.y", "odd", "[today]", "today", "now"), "set to be one of"),
    (cue("en.time.y", "interval", "[today]", "today", "now"), "[older end, nearer end]"),
    (cue("en.time.y", "interval", "[today]", "today", "now", value="[1]"), "[older end, nearer end]"),
    (cue("en.time.y", "interval", "[today]", "today", "now", value="[0, 1]"), "[older end, nearer end]"),
    (cue("en.time.y", "interval", "[today]", "today", "now", value="[1, true]"), "[older end, nearer end]"),
    (cue("en.time.x", "now", "[today]", "today", "now"), "an id that no other rule has"),
    (cue("en.time.y", "now", "[today]", "now", "now"), "to be found in its example yes"),
    (cue("en.time.y", "now", "[today]", "today", "today"), "not to be found in its example no"),
    (cue("en.time.y", "now", "[yesterday]", "yesterday", "now"), "others do not always win over (en.time.x)"),
])
def test_a_cue_rule_with_one_thing_wrong(tree, rule, words):
    tree.add("grammars/en/time.yaml", rule)
    errors = said(lint())
    assert errors and any(words in one for one in errors), errors
    assert all(one.startswith("grammars/en/time.yaml: en.time.") for one in errors)


def test_a_cue_of_another_component_is_no_rival(tree):
    tree.add("grammars/en/assertion.yaml", cue("en.assertion.y", "hedge", "[yesterday]", "yesterday", "now"))
    assert lint() == []


def test_a_value_that_nobody_reads(tree):
    tree.add("grammars/en/time.yaml", cue("en.time.y", "now", "[today]", "today", "now", value="[1, 0]"))
    assert said(lint(), "warning") == ["grammars/en/time.yaml: en.time.y: now takes no value"]


def test_a_macro_that_no_rule_uses(tree):
    tree.add("grammars/en/macros.yaml", "  spare: [extra]\n  inner: [word]\n  outer: ['{inner}']\n")
    tree.sleep(entry(any="[bad night, '{outer} night']"))
    assert said(lint(), "warning") == ["grammars/en/macros.yaml: {spare}: no rule uses this macro"]


def test_a_broken_macro_is_reported_once(tree):
    tree.add("grammars/en/macros.yaml", "  broken: ['(x']\n  outer: ['{broken} y']\n")
    tree.sleep(entry(any="['{outer} night']", yes="x y night"))
    errors = said(lint())
    assert [one.split(": ")[1] for one in errors] == ["{broken}"]


# broken files -------------------------------------------------------------------------------------------------------

FILES = ["lexicons/en/sleep.yaml", "lexicons/zh/fatigue.yaml", "grammars/en/compose.yaml", "grammars/en/macros.yaml",
         "grammars/en/normalise.yaml",
         "grammars/zh/normalise.yaml", "grammars/zh/traditional.yaml", "grammars/en/clauses.yaml",
         "grammars/zh/time.yaml", "grammars/en/answers.yaml",
         "grammars/instruments/PHQ-8.yaml"]


@pytest.mark.parametrize("content", [b"", b"[", b"- 1\n", b"a: 1\na: 2\n", b"\xff\xfe\x00", b"version: 1\nrules: 7\n",
                                     b"x: 2024-13-45\n", b"\0",
                                     b"version: one\nrules: []\nmacros: {}\n"])
@pytest.mark.parametrize("path", FILES)
def test_a_broken_file_is_one_finding_and_the_rest_is_checked(tree, path, content):
    (tree.folder / path).write_bytes(content)
    tree.add("grammars/zh/subject.yaml", cue("zh.subject.y", "odd", "[他]", "他", "她"))
    errors = said(lint())
    assert len([one for one in errors if one.startswith(path)]) == 1, errors
    assert any(one.startswith("grammars/zh/subject.yaml: zh.subject.y: expected set to be one of") for one in errors)


def test_nothing_is_said_twice(tree):
    tree.sleep(entry(components="[guilt, guilt]"))
    findings = lint()
    assert len(findings) == len(set(findings))


# somebody's own lexicons, a corpus ----------------------------------------------------------------------------------


def test_somebody_elses_lexicons_are_checked_instead(tree, tmp_path):
    tree.sleep(entry(yes="good day"))  # what ships is not looked at
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.yaml").write_text(lexicon("finding", entry("en.finding.x", components="[fever]", any="[fever]",
        yes="fever", no="cold")),
                                   encoding="utf-8")
    (own / "wo.yaml").write_text(lexicon("finding", entry("zh.finding.x", components="[发烧]", any="[发烧]", yes="发烧",
                                                          no="冷")), encoding="utf-8")
    assert lint(own) == []
    (own / "mine.yaml").write_text(lexicon("finding", entry("my.finding.x", components="[fever]", any="[fever]",
        yes="cold", no="cold")),
                                   encoding="utf-8")
    findings = lint(own)
    assert [(f.rule, f.severity) for f in findings] == [("my.finding.x", "warning"), ("my.finding.x", "error")]


def test_terms_that_are_taken_as_they_are(tree, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    target = "version: 1\ndimension: finding\ntargets:\n  - {{id: en.finding.x, terms: [{}]}}\n"
    (own / "mine.yaml").write_text(target.format("'fever (high?)', rash"), encoding="utf-8")
    assert lint(own) == []
    (own / "mine.yaml").write_text(target.format("rash, '()'"), encoding="utf-8")
    assert said(lint(own)) == [f"{own}/mine.yaml: en.finding.x: expected terms that the clean-up leaves"]


def test_cues_of_written_notes_are_no_rivals_in_talk(tree):
    rule = cue("en.time.clinical.x", "now", "[since yesterday]", "since yesterday", "yesterday")
    tree.write("grammars/en/time_clinical.yaml", f"version: 1\nrules:\n{rule}")
    tree.add("grammars/en/time.yaml", cue("en.time.y", "now", "['since ~1']", "since yesterday", "now"))
    assert lint() == []
    tree.add("grammars/en/time_clinical.yaml", cue("en.time.clinical.y", "odd", "[so]", "so", "no"))
    assert [one.split(": ")[1] for one in said(lint())] == ["en.time.clinical.y"]


def test_a_folder_without_lexicons(tree, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    assert [f.problem for f in lint(own)] == ["expected a folder with lexicon files (*.yaml)"]


def test_rules_that_a_corpus_never_calls(tree):
    tree.sleep(entry(), entry("en.sleep.mask", any="[night owl]", sense="mask", components="[]", yes="night owl"))
    texts = ["A bad night.", "Bad night, yes.", "Yes, yes: a bad night. Sleep fine", "night owl", "睡眠很好。没有。"]
    warnings = said(lint(corpus=iter(texts)), "warning")
    assert "lexicons/en/sleep.yaml: en.sleep.mask: fires once over the 4 texts of the corpus" in warnings
    assert "grammars/en/compose.yaml: en.noun.good: fires once over the 4 texts of the corpus" in warnings
    assert "grammars/en/time.yaml: en.time.x: fires never over the 4 texts of the corpus" in warnings
    assert "grammars/zh/assertion.yaml: zh.assertion.x: fires once over the 1 texts of the corpus" in warnings
    assert not [one for one in warnings if "en.sleep.x" in one or "en.answers.x" in one]


# what ships ---------------------------------------------------------------------------------------------------------


def test_the_rules_that_ship_have_no_error():
    assert said(lint()) == []
