"""Kinds of Chinese statements in long turns: what is wished, granted, compared, limited or only named says less than it
seems, each with what must still be said."""
from __future__ import annotations

import pytest
from spoken import asserted, frames

OPEN = "I: 您最近怎么样？"


def said(text, dimension):
    return {f"{f.polarity} {f.strength} {'+'.join(f.components)}"
            for f in asserted(OPEN, f"P: {text}")
            if f.dimension == dimension and f.subject == "participant" and not f.withdrawn_by}


@pytest.mark.parametrize("text", [
    "我努力让自己保持乐观。", "我也想变得乐观。", "我试着乐观一点去看。", "医生劝我学会乐观。",
    "等日子好了我才能乐观。", "只有他们来了我才乐观。",
])
def test_hope_that_is_striven_for_is_no_hope(text):
    assert "deny definite hopelessness" not in said(text, "depressed_mood")


@pytest.mark.parametrize("text", [
    "我知道应该好好吃饭。", "我妈总提醒我按时吃饭。", "没动力去好好吃饭。", "胃病影响了我正常吃饭。",
    "等病好了再好好吃饭。", "食欲慢慢会恢复正常的。",
])
def test_eating_that_is_due_or_awaited_denies_nothing(text):
    assert not any(x.startswith("deny") for x in said(text, "appetite_weight"))


@pytest.mark.parametrize("text", ["我都按时吃饭。", "没有影响我正常吃饭。", "压力大也没影响我吃饭，胃口挺好。"])
def test_eating_that_is_so_denies(text):
    assert any(x.startswith("deny definite") for x in said(text, "appetite_weight"))


@pytest.mark.parametrize("text", [
    "就算晚上睡得不错，白天也没劲。", "即便能睡着，也老做梦。",
    "哪怕睡够了，起来还是乏。",
])
def test_sleep_that_is_granted_is_no_denial(text):
    assert not any(x.startswith("deny") for x in said(text, "sleep"))


def test_what_follows_even_if_is_said():
    assert said("就算再忙，我也睡得挺好。", "sleep") == {"deny definite ALL"}
    assert "affirm definite tiredness" in said("就算睡得不错，白天也很累。", "fatigue")


@pytest.mark.parametrize("text", ["眼泪不自觉地往下流。", "我不由自主地流泪。", "眼泪不受控制地掉。"])
def test_a_not_inside_an_adverb_negates_nothing(text):
    assert said(text, "depressed_mood") == {"affirm definite crying"}


@pytest.mark.parametrize("text", ["我不经常哭。", "也没有总是哭。", "并没有特别想哭。"])
def test_frequency_and_degree_weaken_a_denial(text):
    assert not {x for x in said(text, "depressed_mood") if x.startswith(("deny definite", "affirm definite"))}


@pytest.mark.parametrize("text", ["我不哭。", "我没哭过。", "我从来没哭过。"])
def test_a_plain_denial_stays(text):
    assert said(text, "depressed_mood") == {"deny definite crying"}


@pytest.mark.parametrize("text", [
    "即使在心情低落的时候，这种念头也没有过。", "心情低落的时候我就出去走走。", "尤其是心情低落或者着急的时候头疼。",
    "没有在心情低落时乱吃东西。",
])
def test_a_circumstance_is_an_indicator_and_not_denied(text):
    assert said(text, "depressed_mood") == {"affirm indicator low_mood"}


@pytest.mark.parametrize("text", ["最近有心情低落的时候。", "心情低落的时候挺多。"])
def test_times_that_there_are_affirm(text):
    assert said(text, "depressed_mood") == {"affirm definite low_mood"}


@pytest.mark.parametrize("text", [
    "没有那种睡得很少却不累的情况。", "没有兴奋得睡不着的时候。",
    "没有过兴奋、精力充沛的感觉。",
])
def test_elation_denied_says_nothing_of_sleep_or_strength(text):
    assert not said(text, "sleep") and not said(text, "fatigue")


@pytest.mark.parametrize("text", ["我不像以前那样精力充沛了。", "没有从前那么精力充沛。", "没法像过去那样精力充沛。"])
def test_not_as_before_affirms(text):
    assert "affirm definite energy" in said(text, "fatigue")


@pytest.mark.parametrize("text", [
    "饮食挺规律的，只是偶尔没胃口。", "大部分时间胃口不错。", "食欲还算正常。", "没有其他胃口上的问题。",
])
def test_a_denial_with_a_limit_is_an_indicator(text):
    got = [f for f in asserted(OPEN, f"P: {text}") if f.dimension == "appetite_weight" and f.polarity == "deny"]
    assert got and all(f.strength == "indicator" or f.object for f in got)


@pytest.mark.parametrize("text", [
    "听听戏心情会舒畅一些。", "想起那些快乐的时光。",
    "做点开心的事情打发时间。", "散步后心里舒服点。",
])
def test_relief_and_attributes_deny_no_low_mood(text):
    assert not any(x.startswith("deny definite") for x in said(text, "depressed_mood"))


def test_one_object_of_interest_is_an_indicator():
    assert said("我对养鸟还挺感兴趣的。", "anhedonia") == {"deny indicator interest"}
    assert said("我对什么都有兴趣。", "anhedonia") == {"deny definite interest"}
    assert not said("我对吃的东西的兴趣不大。", "anhedonia")


def test_a_reason_before_what_was_given_up():
    assert said("因为最近实在太累，所以这些活动我做得不多。", "anhedonia") == {"affirm indicator activity"}


@pytest.mark.parametrize("text", [
    "我想改变这个样子。", "我知道这样想不对。", "误会后来澄清了。", "我还是能应付过来的。", "话到嘴边又咽回去了。",
    "我怕自己说错了话。", "这得改善改善。",
])
def test_what_takes_nothing_back(text):
    assert not any(f.withdrawn_by for f in frames(OPEN, f"P: 我晚上睡不着。{text}"))


@pytest.mark.parametrize("text", [
    "这话不对。", "我说错了。", "那不是真的。",
    "刚才那些都是假的。", "我那是应付您的。", "我要改一下。",
])
def test_what_takes_back(text):
    assert any(f.withdrawn_by for f in frames(OPEN, f"P: 我晚上睡不着。{text}") if f.dimension == "sleep")


@pytest.mark.parametrize("text", ["我家里没有人得过抑郁。", "家族里也没有抑郁的情况。"])
def test_the_family_is_not_the_speaker(text):
    assert not said(text, "depressed_mood")


def test_a_hedge_on_the_cause_behind():
    assert said("胃口挺好的，可能因为活儿少了。", "appetite_weight") == {"deny definite ALL"}


@pytest.mark.parametrize("text", ["我希望早点好，心里踏实。", "但愿病能好，过得开开心心。"])
def test_a_wish_goes_on_over_its_parts(text):
    assert "deny definite low_mood" not in said(text, "depressed_mood")


def test_a_wish_ends_where_the_speaker_speaks_of_now():
    assert said("我希望孩子常来，我现在挺开心的。", "depressed_mood") == {"deny definite low_mood"}
    assert "affirm definite low_mood" in said("没有想象中那么开心。", "depressed_mood")


@pytest.mark.parametrize(("text", "dimension", "expected"), [
    # "不是" that goes on denies its own clause, and not the one before
    ("我很难过，不是因为钱。", "depressed_mood", {"affirm definite low_mood"}),
    ("吃饭像完成任务，不是为了吃饱。", "appetite_weight", {"affirm definite appetite_loss"}),
    # what is done so that it does not come about is no denial; what does not come about is
    ("我得样样做好，才能不辜负大家。", "guilt_worthlessness", set()),
    ("我没有辜负大家。", "guilt_worthlessness", {"deny definite guilt"}),
    # the elation that is denied
    ("没出现过精力突然旺盛、睡不着觉的情况。", "sleep", set()),
    ("没出现过睡不着觉的情况。", "sleep", {"deny definite onset"}),
    # a verb of choice between a negation and what it denies
    ("我不会选择自杀。", "suicidal_ideation", {"deny definite suicidal_thoughts"}),
    ("我从不考虑自杀。", "suicidal_ideation", {"deny definite suicidal_thoughts"}),
    ("我考虑过自杀。", "suicidal_ideation", {"affirm definite suicidal_thoughts"}),
    # a denied degree is a weak denial
    ("白天不觉得特别累。", "fatigue", {"deny indicator tiredness"}),
    ("我从不觉得累。", "fatigue", {"deny definite tiredness"}),
    # the wish that is what is stated, and a wish for health
    ("昨晚，我很想活着。", "suicidal_ideation", {"deny definite death_wish"}),
    ("我很想睡个好觉。", "sleep", set()),
    # "a bit" belongs to the denial behind it
    ("我精力充沛一点不疲倦。", "fatigue", {"deny definite energy", "deny definite tiredness"}),
    ("我精力充沛一点了。", "fatigue", {"deny indicator energy"}),
    ("这大半年愧疚和没用的感觉我都有。", "guilt_worthlessness", {"affirm definite guilt+worthlessness"}),
])
def test_what_is_said_and_what_is_only_pictured(text, dimension, expected):
    assert said(text, dimension) == expected


HEALTHS = [("sleep", "睡得踏实"), ("sleep", "一觉到天亮"), ("appetite_weight", "好好吃饭"),
           ("appetite_weight", "吃得香"), ("depressed_mood", "开心"), ("fatigue", "精力充沛"),
           ("psychomotor", "坐得住")]


@pytest.mark.parametrize("frame", [
    "好久没有{}了。", "我已经忘了怎么{}。", "我记不得上次{}是什么时候了。", "{}对我来说是奢望。",
    "{}对我来说太难了。", "几乎没有一天能{}。", "我不敢奢望能{}。", "{}的日子一去不复返了。", "我再也不能{}了。",
])
@pytest.mark.parametrize(("dimension", "health"), HEALTHS)
def test_a_health_that_is_gone_or_out_of_reach_is_not_denied_as_a_symptom(frame, dimension, health):
    assert not any(x.startswith("deny") for x in said(frame.format(health), dimension))


@pytest.mark.parametrize("frame", [
    "我很羡慕能{}的人。", "我多想{}啊。", "医生叫我{}。", "老公让我{}。", "要是能{}就好了。", "我妹妹说她能{}。",
])
@pytest.mark.parametrize(("dimension", "health"), HEALTHS)
def test_a_health_of_others_or_wished_for_says_nothing(frame, dimension, health):
    assert said(frame.format(health), dimension) == set()


@pytest.mark.parametrize("frame", ["我照样能{}。", "我每天都{}。", "我一直都能{}。"])
@pytest.mark.parametrize(("dimension", "health"), [h for h in HEALTHS if h[1] != "开心"])
def test_a_health_that_is_there_is_denied_as_a_symptom(frame, dimension, health):
    found = said(frame.format(health), dimension)
    assert any(x.startswith("deny") for x in found) and not any(x.startswith("affirm") for x in found)


SYMPTOMS = [("sleep", "睡不着"), ("appetite_weight", "吃不下饭"), ("depressed_mood", "难过"), ("fatigue", "没力气"),
            ("guilt_worthlessness", "自责"), ("psychomotor", "坐不住"), ("suicidal_ideation", "想死")]


@pytest.mark.parametrize("frame", [
    "我梦见自己{}。", "我装作{}。", "换了谁都会{}。", "大家都以为我会{}。",
    "听说他最近{}。", "我知道我同学也{}。", "听说我妈{}。",
])
@pytest.mark.parametrize(("dimension", "symptom"), SYMPTOMS)
def test_a_symptom_dreamt_pretended_or_of_others_says_nothing(frame, dimension, symptom):
    assert said(frame.format(symptom), dimension) == set()


@pytest.mark.parametrize("frame", ["我忍不住{}。", "我总是{}。", "我没有一天不{}。", "我发现我{}。"])
@pytest.mark.parametrize(("dimension", "symptom"), SYMPTOMS)
def test_a_symptom_that_comes_is_affirmed(frame, dimension, symptom):
    assert {x.split()[0] for x in said(frame.format(symptom), dimension)} == {"affirm"}


@pytest.mark.parametrize(("text", "wanted"), [
    ("我没时间难过。", set()), ("我没有难过。", {"deny"}), ("看到我妈我就难过。", {"affirm"}),
    ("我妈说我难过。", {"affirm"}),
])
def test_no_time_for_it_is_no_denial(text, wanted):
    assert {x.split()[0] for x in said(text, "depressed_mood")} == wanted
