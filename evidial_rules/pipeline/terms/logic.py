"""Finds mentions in canonical text, and settles which of two overlapping ones stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from ...errors import RuleError
from ..index import PatternIndex
from ..patterns import Compiled, PatternCompiler
from ..text import Canonical
from .rules import Compose, Lexicon


@dataclass(slots=True)
class Mention:
    """A candidate. Offsets are canonical, half-open. `open`: stretches inside where a negation counts."""

    dimension: str
    components: tuple[str, ...]
    sense: str
    start: int
    end: int
    rule: str
    negated: str | None = None
    if_negated: tuple[str, ...] = ()
    open: tuple[tuple[int, int], ...] = ()
    lost: list[Mention] = field(default_factory=list)
    ground: str | None = None

    def reading(self, negated: bool = False) -> tuple[str, str, tuple[str, ...]]:
        """Polarity, strength and components as the lexicon has them, of the mention said plainly or negated (see
        `SENSES`). What has no direction (a remark, a change, a proxy) has none negated either."""
        polarity = ("affirm", "deny")[(self.sense in ("health", "weak_health")) != negated]
        strength = "definite"
        if self.sense == "symptom":
            if negated and self.negated == "weak":
                strength = "indicator"
        elif self.sense == "weak_health":
            strength = "definite" if negated else "indicator"
        elif self.sense != "health":
            strength = "indicator"
            if self.sense != "weak_symptom":
                polarity = "affirm"
        others = polarity == "deny" and self.sense in ("symptom", "health") and self.if_negated
        return polarity, strength, others or self.components


@dataclass(frozen=True, slots=True)
class _Payload:
    rule: str
    dimension: str
    components: tuple[str, ...]
    sense: str
    negated: str | None
    if_negated: tuple[str, ...]
    also: bool
    ground: str | None
    rank: int  # fixed expressions win over composed ones of the same extent
    asked: tuple[str, ...] = ()


BLOCK = 128  # characters
# what stands between two parts of an English list: "my focus [, or with my] decisions", "my interest [in things and] joy"
_LISTED = (
    r"(?:(?:in|of|for) (?:things|anything|everything|people|life|my life|them|it) )?"
    r"(?:, )?(?:(?:and|or|nor|,) )"
    r"(?:(?:in|of|with|about|for|to|any|my|your|his|her|their|the|own|either|also|no|level of|lack of) ){0,4}"
)

_PAIRED = re.compile(r"(?<= )(?:either|neither|(?:trouble|problems?|difficult(?:y|ies)) (?:with|in)) ")


class TermMatcher:
    """Lexicons and templates of one language, compiled once.

    >>> # TermMatcher(compiler, lexicons, compose).find(canonical) -> list[Mention]
    """

    def __init__(
        self,
        compiler: PatternCompiler,
        lexicons: Iterable[tuple[str, Lexicon]],
        compose: Compose | None,
        plain: Callable[[str], str] = str,
    ):
        """plain: the canonical form of a whole text, for targets that are taken as they are."""
        if compose is not None and compose.hearer:
            compiler = compiler.hearing(compose.hearer, *compose.others)
        items: list[tuple[_Payload, Compiled]] = []
        for source, lexicon in lexicons:
            for target in lexicon.targets:
                texts = [plain(term) for term in target.terms]
                if not all(texts):
                    raise RuleError(source=source, rule=target.id, expected="terms that the clean-up leaves")
                items.append(
                    (
                        _Payload(target.id, lexicon.dimension, target.components, target.sense, None, (), True, None, 1),
                        compiler.verbatim(texts),
                    )
                )
            for entry in lexicon.entries:
                items.append(
                    (
                        _Payload(
                            entry.id,
                            entry.dimension or lexicon.dimension,
                            entry.components,
                            entry.sense,
                            entry.negated,
                            entry.if_negated,
                            entry.also,
                            entry.ground,
                            1,
                            entry.asked,
                        ),
                        compiler.compile(entry.any, rule=entry.id, source=source),
                    )
                )
            for topic in lexicon.topics:
                bindings = {"T": compiler.node(topic.words, rule=topic.id, source=source)}
                words = [*topic.words, *topic.ing, *topic.past]
                items.append(
                    (
                        _Payload(
                            topic.id, lexicon.dimension, topic.components, "topic", None, topic.if_negated, False, None, -1
                        ),
                        compiler.compile(words, rule=topic.id, source=source),
                    )
                )
                bindings["ING"] = compiler.node(topic.ing, rule=topic.id, source=source) if topic.ing else bindings["T"]
                bindings["PAST"] = (
                    compiler.node(topic.past, rule=topic.id, source=source) if topic.past else bindings["T"]
                )
                for template in compose.templates if compose else ():
                    if template.kind not in topic.kinds:
                        continue
                    rule = f"{template.id}+{topic.id}"
                    # no form of its own: a template that asks only for that form says nothing of this topic
                    patterns = [
                        p
                        for p in template.any
                        if (topic.ing or "{ING}" not in p)
                        and (topic.past or "{PAST}" not in p)
                        or not compiler.word_level
                    ]
                    if not patterns:
                        continue
                    compiled = compiler.compile(patterns, rule=rule, source=source, bindings=bindings)
                    items.append(
                        (
                            _Payload(
                                rule,
                                lexicon.dimension,
                                topic.components,
                                template.sense,
                                template.negated,
                                topic.if_negated,
                                False,
                                None,
                                0,
                            ),
                            compiled,
                        )
                    )
        self.joins = re.compile(" (?:and|or|nor|,) ") if compiler.word_level else None
        self.listed = re.compile(_LISTED) if compiler.word_level else None
        self.index = PatternIndex(items)
        self.rules = [payload.rule for payload, _ in items]

    def find(self, canonical: Canonical, asked: AbstractSet[tuple[str, str]] = frozenset()) -> list[Mention]:
        """Mentions in order of start; masks are applied and dropped, longer mentions silence the shorter
        ones of their own dimension inside them. asked: (dimension, component) of all that the question before
        is of; what is of a dimension only in an answer ("浮着的" of sleep) is found
        for these."""
        return self.mentions(canonical, self.index.matches(canonical), asked)

    def mentions(
        self,
        canonical: Canonical,
        matches: Iterable[tuple[_Payload, re.Match[str]]],
        asked: AbstractSet[tuple[str, str]] = frozenset(),
    ) -> list[Mention]:
        """`find` of a text in which the index has found these matches."""
        found: list[tuple[int, int, int, int, int, Mention, _Payload]] = []
        for order, (payload, m) in enumerate(matches):
            if payload.asked and not any((payload.dimension, c) in asked for c in payload.asked):
                continue
            start, end = m.span()
            spans = (
                tuple(m.span(g) for g in range(1, m.re.groups + 1) if m.end(g) > m.start(g) >= 0) if m.re.groups else ()
            )
            mention = Mention(
                payload.dimension,
                payload.components,
                payload.sense,
                start,
                end,
                payload.rule,
                payload.negated,
                payload.if_negated,
                spans,
                ground=payload.ground,
            )
            found.append(
                (
                    2 if payload.rank < 0 else 0 if payload.sense == "mask" else 1,
                    start - end,
                    -payload.rank,
                    start,
                    order,
                    mention,
                    payload,
                )
            )
        if not found:
            return []
        found.sort(key=lambda x: x[:5])  # masks, then the longest first; bare topics last
        kept: list[tuple[Mention, _Payload]] = []
        placed: dict[int, list[tuple[Mention, _Payload]]] = {}  # the kept ones by block of `BLOCK` characters
        for *_, mention, payload in found:
            silenced = False
            blocks = range(mention.start // BLOCK, mention.end // BLOCK + 1)
            for other, by in [k for b in blocks for k in placed.get(b, ())]:
                inside = other.start <= mention.start and mention.end <= other.end
                if (
                    inside
                    and by.dimension == "anhedonia"
                    and mention.dimension == "depressed_mood"
                    and by.sense != "topic"
                    and mention.end - mention.start < other.end - other.start
                ):
                    # joy in doing something is anhedonia's, not mood's
                    other.lost.append(mention)
                    silenced = True
                    break
                overlap = mention.start < other.end and other.start < mention.end
                holds = mention.start <= other.start and other.end <= mention.end  # the mention holds the mask
                half = (
                    not holds
                    and (min(mention.end, other.end) - max(mention.start, other.start)) * 2
                    >= mention.end - mention.start
                )
                if by.sense == "mask" and (inside or half):
                    # a mask of one dimension may speak for that dimension only
                    if by.dimension == mention.dimension or by.dimension == "any":
                        silenced = True
                        break
                elif by.sense != "mask" and overlap and other.dimension == mention.dimension and not by.also:
                    if inside or _same_head(mention, other):
                        if self.joins is not None and _other_part(mention, payload, other, by):
                            # "my focus and my decisions are fine": the parts of a list share what is said of them
                            if self.joins.search(canonical.text, other.start, other.end):
                                other.components += mention.components
                                other.if_negated = other.components if other.if_negated else ()
                        other.lost.append(mention)
                        silenced = True
                        break
            if not silenced:
                kept.append((mention, payload))
                for b in blocks:
                    placed.setdefault(b, []).append(kept[-1])
        if self.joins is not None and any(by.asked for _, by in kept):
            kept = [k for k in kept if not _answers_another(k, kept, asked)]
        if self.listed is not None:
            kept += self._list_parts(canonical.text, kept)
        # a bare topic word says nothing by itself; it names what a question or a retraction is about
        out = [m for m, p in kept if p.sense != "mask"]
        out.sort(key=lambda m: (m.start, m.end, m.rule))
        return out


    def _list_parts(self, text: str, kept: list[tuple[Mention, _Payload]]) -> list[tuple[Mention, _Payload]]:
        """ "Trouble with focus or decisions", "my interest, my hobbies and my joy have gone": what is said of one topic is
        said of those that stand in a list with it. Or-lists add to the mention's components; in an and-list each part
        has a mention of its own, which is returned."""
        topics = [m for m, by in kept if by.sense == "topic"]
        alone = {}  # what has a name of the topic as all its words: "tiredness", in "fine with my energy and tiredness"
        for mention, by in kept:
            if by.rank > 0 and by.sense in ("symptom", "health"):
                for x in mention.lost:
                    if x.sense == "topic" and (x.start, x.end) == (mention.start, mention.end):
                        topics.append(x)
                        alone[id(x)] = mention
        more: list[tuple[Mention, _Payload]] = []
        for mention, by in [*kept]:
            if by.rank < 0 or by.sense not in ("symptom", "health") or "ALL" in mention.components:
                continue
            if by.rank > 0 and not _PAIRED.search(text, max(0, mention.start - 40), mention.end):
                continue  # a fixed expression goes on only where "either" or "neither" says so
            if any(mention is x for x in alone.values()):
                continue  # a name and no more
            own = [x for x in mention.lost if x.sense == "topic"]
            inside = [x for x in own if _new_part(x, mention)]
            parts = [x for x in inside if self._beside(text, x, own)]
            first, last = mention.start, mention.end
            if by.rank > 0 or any(x.end == last for x in own):
                for topic in sorted(topics, key=lambda x: x.start):
                    if topic.start >= last and _new_part(topic, mention) and self._joins(text, last, topic):
                        parts.append(topic)
                        last = topic.end
            if any(x.start == first for x in own):
                for topic in sorted(topics, key=lambda x: -x.start):
                    if topic.end <= first and _new_part(topic, mention) and self.listed.fullmatch(text, topic.end, first):
                        parts.append(topic)
                        first = topic.start
            for part in parts:
                if id(part) in alone:
                    kept[:] = [k for k in kept if k[0] is not alone[id(part)]]
                if " and " in text[min(part.start, mention.start) : max(part.end, mention.end)]:
                    if by.sense == "health" or " or " not in text[mention.start : mention.end]:
                        more.append((replace(mention, components=part.components, lost=[], if_negated=()), by))
                        continue
                mention.components += tuple(c for c in part.components if c not in mention.components)
                mention.if_negated = mention.components if mention.if_negated else ()
        return more

    def _joins(self, text: str, last: int, topic: Mention) -> bool:
        """Whether a topic is the next part of a list that has come to `last`. Spoken lists have no commas: "being
        interested enjoying things or staying active"."""
        if last == topic.start:
            return text.startswith(("or ", "and ", "nor "), topic.end)
        return self.listed.fullmatch(text, last, topic.start) is not None

    def _beside(self, text: str, topic: Mention, others: list[Mention]) -> bool:
        """Whether a topic stands in a list with another one."""
        return any(
            self.listed.fullmatch(text, min(topic.end, o.end), max(topic.start, o.start)) is not None
            for o in others
            if o.end <= topic.start or topic.end <= o.start
        )


def _new_part(topic: Mention, mention: Mention) -> bool:
    """Whether a topic of the same dimension is of other components than a mention."""
    return (
        topic.dimension == mention.dimension
        and "ALL" not in topic.components
        and set(topic.components).isdisjoint(mention.components)
    )


def _other_part(a: Mention, by_a: _Payload, b: Mention, by_b: _Payload) -> bool:
    """Whether two composed mentions say the same of two topics that have no component in common."""
    return (
        by_a.rank == by_b.rank == 0
        and a.sense == b.sense
        and "ALL" not in (*a.components, *b.components)
        and set(a.components).isdisjoint(b.components)
    )


def _answers_another(
    one: tuple[Mention, _Payload], kept: list[tuple[Mention, _Payload]], asked: AbstractSet[tuple[str, str]]
) -> bool:
    """ "Eating?" "I've gone off everything.": whether English words that are of several dimensions are, by the question,
    of another one than this mention's."""
    mention, by = one
    return (
        by.sense != "mask"
        and not by.asked
        and all(dimension != mention.dimension for dimension, _ in asked)
        and any(p.asked and p.dimension != mention.dimension and _same_head(m, mention) for m, p in kept)
    )


def _same_head(a: Mention, b: Mention) -> bool:
    """Partly overlapping mentions of one dimension: the longer stands when they share over half of the shorter."""
    shared = min(a.end, b.end) - max(a.start, b.start)
    return shared * 2 >= min(a.end - a.start, b.end - b.start)
