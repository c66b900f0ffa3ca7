"""Kinds of wording that Chinese answers, lists, times and retractions have, each with what must not be read so."""
from __future__ import annotations

from datetime import date

import pytest
from spoken import SHORT, asserted, cells, frames, state

NOW = date(2024, 9, 25)  # a Wednesday


def said(*turns, **more):
    return {f"{f.polarity} {f.strength} {'+'.join(f.components)}"
            for f in asserted(*turns, **more) if f.turn == len(turns) - 1 and f.subject == "participant"}


@pytest.mark.parametrize("no", ["不是。", "才不是呢。", "完全不是。", "真不是。",
                                "不是不是。", "不，不是这样的。", "压根不是。"])
def test_a_no_that_denies_what_is_so(no):
    assert said("I: 您是不是觉得内疚？", f"P: {no}") == {"deny definite guilt"}
    assert said("I: 您是不是睡得挺好？", f"P: {no}") == {"affirm definite ALL"}


@pytest.mark.parametrize("yes", ["没错没错。", "就是就是。", "是的呀。", "是，一点不差。", "嗯，就是这样。"])
def test_a_yes_said_twice_or_at_length(yes):
    assert said("I: 您是不是坐不住？", f"P: {yes}") == {"affirm definite agitation"}


@pytest.mark.parametrize("weak", ["我想没有吧。", "我看没有。", "估计没有吧。"])
def test_a_supposed_no_is_weak(weak):
    assert said("I: 您是不是觉得内疚？", f"P: {weak}") == {"deny indicator guilt"}


@pytest.mark.parametrize("answer", ["能把灯关小一点吗？", "您不知道，门口堵得厉害。"])
def test_what_answers_nothing(answer):
    assert not said("I: 您睡眠怎么样？", f"P: {answer}")


def test_good_by_which_one_agrees_to_be_asked():
    assert not frames("I: 您好，我想了解一下您最近的情况。", "P: 好的，您请问。")


@pytest.mark.parametrize("text, kinds", [
    ("我不是睡不着就是醒得太早。", {"affirm definite onset+early_waking"}),
    ("我要么没力气要么累得慌。", {"affirm definite energy+tiredness"}),
    ("内疚和没用的感觉我至少占一样。", {"affirm definite guilt+worthlessness"}),
    ("我不是难过，就是有点吵。", {"deny definite low_mood"}),
])
def test_one_thing_or_the_other(text, kinds):
    assert said(f"P: {text}") == kinds


@pytest.mark.parametrize("text, dimension, expected", [
    ("吃不下、没食欲都跟我不沾边。", "appetite_weight", "PART"),
    ("最近动作慢、坐不住我一样都没有。", "psychomotor", "NEG"),
    ("我专心和拿主意都没问题。", "concentration", "NEG"),
    ("我专心和拿主意都不行。", "concentration", "POS"),
    ("兴趣、乐趣和平时的活动我一样没少。", "anhedonia", "NEG"),
    ("兴趣、乐趣和平时的活动我总有一样缺着。", "anhedonia", "POS"),
])
def test_a_list_shares_what_is_said_behind_it(text, dimension, expected):
    instrument = "BDI-II" if dimension == "concentration" else "HAMD-17"
    short = {"NEG": "SUFFICIENT_NEG", "POS": "SUFFICIENT_POS", "PART": "PARTIAL"}
    assert state(dimension, f"P: {text}", instrument=instrument) == short[expected]


@pytest.mark.parametrize("text, kinds", [
    ("没力气倒不至于。", {"deny indicator energy"}),
    ("自杀的念头没有老冒出来。", {"deny indicator suicidal_thoughts"}),
    ("我一宿睡不着，不过我不敢肯定。", {"affirm indicator onset"}),
    ("我一宿睡不着，不过我不在乎。", {"affirm definite onset"}),
])
def test_what_weakens_from_behind(text, kinds):
    assert kinds <= said(f"P: {text}")


@pytest.mark.parametrize("text, state_", [
    ("看戏的时候我心情挺好。", "PARTIAL"), ("陪外孙玩的时候我心情挺好。", "PARTIAL"),
    ("我心情挺好。", "SUFFICIENT_NEG"),
    ("平时我心情挺好。", "SUFFICIENT_NEG"),
])
def test_a_denial_for_one_occasion(text, state_):
    assert state("depressed_mood", f"P: {text}") == state_


@pytest.mark.parametrize("text", [
    "我睡眠没问题，我说的是昨晚。", "昨晚的话，我睡眠没问题。", "刚过去的那个星期一的话，我睡眠没问题。",
    "拿星期一来说，我睡眠没问题。",
])
def test_a_time_said_beside_covers_its_own_day(text):
    assert state("sleep", f"P: {text}", now=NOW) == "PARTIAL"


def test_a_supposition_stays_one():
    assert not said("P: 天天加班的话，我就睡不着。")


@pytest.mark.parametrize("text", [
    "我累得很，那是上中学那会儿的事。", "我累得很，不过那是刚上班那几年的事了。",
    "以前的事了，我累得很。", "说的是前年，我累得很。",
])
def test_a_time_that_sums_up_lies_outside(text):
    assert state("fatigue", f"P: {text}", now=NOW) == "ABSENT"


def test_a_time_of_ones_own_sentence_takes_nothing_back():
    told = ("I: 累吗？", "P: 浑身没劲。", "I: 嗯。")
    assert state("fatigue", *told, "P: 说的是小时候，我一点力气都没有。") == "SUFFICIENT_POS"
    assert state("fatigue", *told, "P: 不对，我说的是去年。") == "ABSENT"
    assert state("fatigue", *told, "P: 不对，那是两年前的事。") == "ABSENT"


def test_an_answer_and_its_retraction_leave_what_was_said_before():
    asked = ("I: 您是不是没力气？", "P: 嗯，是。", "I: 您是不是身上乏？")
    assert state("fatigue", *asked, "P: 不是的。说错了。") == "SUFFICIENT_POS"
    checked = ("P: 我走两步就累。", "I: 您说累，是这周吗？")
    assert state("fatigue", *checked, "P: 不是，我说错了，是去年。", now=NOW) == "ABSENT"


def test_a_statement_in_full_is_taken_back_itself():
    told = ("I: 手脚怎么样？", "P: 我老来回走。", "I: 嗯。")
    assert state("psychomotor", *told, "P: 我坐下就得起来来回走，近来都这样。说错了。") == "SUFFICIENT_POS"
    assert state("psychomotor", *told, "P: 刚才说的来回走。不算。") == "ABSENT"


@pytest.mark.parametrize("back", [
    "提到愧疚和自我评价的那几句，请划掉。", "我说自责和自我价值的那番话，您当没听见。",
    "内疚不内疚、有用没用那段是我编的。",
    "我讲自责和自我价值是开玩笑的，不作数。",
])
@pytest.mark.parametrize("before", ["我内疚得很。", "我一点不内疚，也不觉得自己没用。"])
def test_a_topic_named_in_a_retraction_has_no_side(before, back):
    assert state("guilt_worthlessness", f"P: {before}", "I: 嗯。", f"P: {back}") == "ABSENT"


def test_i_am_not_lying_to_you_takes_nothing_back():
    assert state("sleep", "P: 我老失眠，不骗您。") == "SUFFICIENT_POS"
    assert state("sleep", "P: 我老失眠。骗您的。") == "ABSENT"


def test_what_is_asked_in_the_negative():
    asked = "I: 轻生、自杀这类念头，是不是都离您很远？"
    assert state("suicidal_ideation", asked, "P: 是的。") == "SUFFICIENT_NEG"
    assert state("guilt_worthlessness", "I: 您是不是既不内疚，也看得起自己？", "P: 对。") == "SUFFICIENT_NEG"
    assert state("guilt_worthlessness", "I: 您是不是内疚？", "P: 对。") == "SUFFICIENT_POS"


def test_a_line_of_the_metro_is_no_day():
    assert all(f.time.unspecified for f in frames("P: 我坐二号线来的，我心情挺好。", now=NOW))


def left(*turns, instrument="HAMD-17", **more):
    """What the participant still says after the last turn."""
    return {f"{f.polarity} {f.strength} {'+'.join(f.components)}"
            for f in asserted(*turns, instrument=instrument, **more)
            if f.subject == "participant" and f.withdrawn_by is None}


@pytest.mark.parametrize("text, kept", [
    ("先前谈睡觉的那些，您删了吧。", set()),
    ("我夜里醒那段是瞎说的。", {"deny definite onset"}),
])
def test_a_topic_named_in_a_retraction_takes_back_all_of_it(text, kept):
    talk = ("I: 您躺下能很快睡着吗？", "P: 能。", "I: 夜里呢？", "P: 我夜里老醒。", "I: 嗯。", f"P: {text}")
    assert left(*talk) == kept


@pytest.mark.parametrize("correction", ["不对，那是八月二号的事。", "改一下，刚讲的是八月二号那天的事情。",
                                        "不不，那说的是我读中专的时候。"])
def test_a_correction_may_name_any_time(correction):
    talk = ("I: 最近怎么样？", "P: 我坐不住，说的是实话。", "I: 嗯。", f"P: {correction}")
    assert state("psychomotor", *talk, now=NOW) == "ABSENT"
    assert state("psychomotor", *talk[:2], "I: 您哪天搬的家？", "P: 那是八月二号的事。", now=NOW) == "SUFFICIENT_POS"


def test_a_correction_of_the_person_takes_back_one_statement():
    talk = ("I: 您动作慢吗？", "P: 不慢。", "I: 坐得住吗？", "P: 我坐不住。", "I: 哦。")
    assert left(*talk, "P: 不对，说的是我姨父，不是我。") == {"deny definite retardation"}


@pytest.mark.parametrize("text", ["这些日子呀，我没有难过也没哭。说错了。",
                                  "讲真，难过和想哭都跟我不沾边。哎，瞎说的。"])
def test_what_is_said_in_full_and_taken_back_names_nothing_earlier(text):
    assert left("I: 心情呢？", "P: 昨天我没难过。", "I: 这阵子呢？", f"P: {text}") == {"deny definite low_mood"}


def test_an_opener_is_no_answer():
    assert not left("I: 您睡眠怎么样？", "P: 是这样的，我表嫂老失眠。")
    assert left("I: 您是不是失眠？", "P: 是这样的，大夫。") == {"affirm definite insomnia"}


@pytest.mark.parametrize("question, answer, kinds", [
    ("您累不累，有没有力气？", "我不怎么累。", {"deny indicator tiredness"}),
    ("您对活着和自杀怎么想的？", "我没想过自尽。", {"deny definite suicidal_thoughts"}),
    ("您专注和决断怎么样？", "我拿主意特别难。", {"affirm definite indecision"}),
    ("您专注和决断怎么样？", "都不好。", {"affirm definite concentration", "affirm definite indecision"}),
])
def test_words_that_answer_inside_a_statement_are_the_statements(question, answer, kinds):
    assert left(f"I: {question}", f"P: {answer}", instrument="BDI-II") == kinds


@pytest.mark.parametrize("text, kinds", [
    ("没准儿换了枕头我也睡不着。", {"affirm indicator onset"}),
    ("换了枕头我也睡不着。", {"affirm definite onset"}),
    ("我不是坐不住就是动作慢，我也吃不准。", {"affirm indicator agitation+retardation"}),
    ("我不是没兴趣就是没乐趣。", {"affirm definite interest+pleasure"}),
    ("我想活着也没动过自杀的念头。", {"deny definite death_wish"}),
])
def test_what_reaches_over_a_clause(text, kinds):
    assert kinds <= said(f"P: {text}")


@pytest.mark.parametrize("text, others", [
    ("我一个男同学累得不行。", True), ("对门的大嫂做什么都没劲。", True), ("我自我价值很低。", False),
    ("四口人。这阵子累也好没劲也好我总有一样。", False),
])
def test_whose_it_is(text, others):
    assert bool(said("I: 您家里几口人？", f"P: {text}")) is not others


def test_a_topic_out_of_order_is_the_topic_and_not_one_part():
    assert left("I: 您的胃口是不是有问题？", "P: 是的。") == {"affirm definite ALL"}
    assert left("I: 您是不是胃口差？", "P: 是的。") == {"affirm definite appetite_loss"}
    assert not left("I: 心情呢？", "P: 我情绪糟透了。刚才那句不算。")
    assert said("P: 我情绪糟透了。") == {"affirm definite ALL"}
    assert said("P: 我半夜从来不醒。") == {"deny definite maintenance"}


@pytest.mark.parametrize("back", [
    "失眠的那个是我妈。", "刚才说失眠，那是在学我同事说话。", "说失眠是为了请病假。", "我嘴硬呢。",
    "您就当耳旁风吧。",
    "打错字了，请忽略。", "我把去年的事当成现在的讲了。", "更正一下，失眠是三个月前的事。",
    "我说的失眠是上大学那几年。",
    "嗨，那是前年的事了。", "上面那句请删。",
])
def test_ways_to_take_back(back):
    assert state("sleep", "I: 睡得怎么样？", "P: 天天失眠。", "I: 嗯。", f"P: {back}") == "ABSENT"


@pytest.mark.parametrize("other", [
    "八点。不，八点半，看错了。", "我说错了，我住三楼不是二楼。", "预约取消了。", "我把照片都删了。",
    "我跟家里人说没事，都是骗他们的。",
    "刚才走错了，走到药房去了。", "我这可不是瞎编的。",
])
def test_what_takes_back_nothing(other):
    assert left("I: 睡得怎么样？", "P: 天天失眠。", "I: 嗯，您几点到的？",
                f"P: {other}") == {"affirm definite insomnia"}


def test_what_is_said_to_stand_and_how_many_answers_are_taken_back():
    talk = ("I: 情绪呢？", "P: 很低落。", "I: 吃饭呢？", "P: 吃不下。", "I: 好。")
    assert left(*talk, "P: 情绪那个我说错了，划掉，吃不下是真的。") == {"affirm definite appetite_loss"}
    assert not left(*talk, "P: 刚才两个回答都不算，我瞎说的。")
    assert left(*talk, "P: 我记性不好，讲成我妹的事了。") >= {"affirm definite low_mood"}


@pytest.mark.parametrize("text, inside", [
    ("二十号以前我睡不着。", True), ("五号以前我睡不着。", False), ("开春那会儿我睡不着。", False),
    ("中秋那几天我睡不着。", True), ("端午那几天我睡不着。", False), ("打年后到现在我睡不着。", True),
    ("以前爱下棋，现在棋盘都懒得摆，晚上也睡不着。", True), ("从周一到现在我都睡不着。", True),
])
def test_until_since_feasts_and_the_present(text, inside):
    assert state("sleep", f"P: {text}", now=NOW) == ("SUFFICIENT_POS" if inside else "ABSENT")


@pytest.mark.parametrize("question, answer, kinds", [
    ("您晚上容易醒吗？", "容易。", {"affirm definite maintenance"}),
    ("您晚上容易醒吗？", "不容易。", {"deny definite maintenance"}),
    ("躺下多久能睡着？", "得两个小时。", {"affirm definite onset"}),
    ("躺下多久能睡着？", "十来分钟。", {"deny definite onset"}),
    ("还喜欢唱歌吗？", "喜欢不起来了。", {"affirm definite interest"}),
    ("有没有不想活的念头？", "念头是有过。", {"affirm definite death_wish"}),
    ("想过死吗？", "想过，我爸刚走那年。", set()),
    ("您精力够用、身上也不累，是这样吗？", "不是。", {"affirm definite energy+tiredness"}),
    ("情绪低落吗？", "说实话，是的。", {"affirm definite low_mood"}),
    ("吃饭睡觉呢？", "吃饭没问题，睡觉不行。", {"deny definite ALL", "affirm definite ALL"}),
])
def test_how_easily_how_long_and_what_cannot_be(question, answer, kinds):
    found = left(f"I: {question}", f"P: {answer}")
    assert found == kinds or not kinds and state("suicidal_ideation", f"I: {question}", f"P: {answer}") == "ABSENT"


def test_a_clause_that_ends_before_the_speaker():
    assert said("P: 孙子来了我也乐不起来。") == {"affirm definite pleasure"}
    assert not said("P: 我孙子来了也乐不起来。")
    assert said("P: 以前睡不好，现在好多了。") >= {"affirm indicator ALL"}


@pytest.mark.parametrize("back", ["前面关于精力和疲劳的话不是真的。", "精力和累那段是我编的。",
                                  "刚才精力和疲劳的说法都是瞎说。"])
def test_and_between_two_names_is_nobody_one_chats_with(back):
    assert state("fatigue", "I: 精力怎么样？", "P: 我一点不累，精力挺充沛的。", "I: 嗯。", f"P: {back}") == "ABSENT"


@pytest.mark.parametrize("text", ["那天要是早点接电话就好了，想到就很愧疚。", "要是那晚我在家就好了，我老自责。",
                                  "早知道那天就不去了，我老自责。", "我爸中风以后，我一直觉得是我害的。"])
def test_a_condition_that_was_not_met_dates_nothing(text):
    assert state("guilt_worthlessness", f"P: {text}") == "SUFFICIENT_POS"


@pytest.mark.parametrize("text", ["坐不住那是仨礼拜往前的事儿，那几天来回走。", "坐立不安，来回走，那都是大半年前了。",
                                  "坐不住是一个半月前的事。"])
def test_times_beyond_the_window(text):
    assert state("psychomotor", f"P: {text}") == "ABSENT"


@pytest.mark.parametrize("text, dimension, expected", [
    ("体力没降。", "fatigue", "NEG"),
    ("注意力没散。", "concentration", "NEG"),
    ("注意力没怎么散。", "concentration", "PART"),
    ("注意力没法集中。", "concentration", "POS"),
    ("做事没有那么集中了。", "concentration", "POS"),
    ("也许是做事没有那么集中了，我不好下定论。", "concentration", "PART"),
    ("手脚没那么利索了。", "psychomotor", "POS"),
    ("走神倒是没怎么走神。", "concentration", "PART"),
    ("累倒是挺累的。", "fatigue", "POS"),
])
def test_less_no_less_and_not_so(text, dimension, expected):
    found = state(dimension, f"P: {text}", instrument="PHQ-8")
    assert found == {"NEG": "SUFFICIENT_NEG", "POS": "SUFFICIENT_POS", "PART": "PARTIAL"}[expected]


@pytest.mark.parametrize("text, kinds", [
    ("有没有走神……兴许有过吧。", {"affirm indicator concentration"}),
    ("走不走神？走，天天走。", {"affirm definite concentration"}),
    ("有没有走神？您问这个干啥。", set()),
])
def test_a_question_to_oneself(text, kinds):
    assert said("I: 做事怎么样？", f"P: {text}") == kinds


@pytest.mark.parametrize("answer, expected", [
    ("我室友天天说自己是废物。我嘛，没有这种想法，愧疚也没有。", "SUFFICIENT_NEG"),
    ("没有愧疚。", "PARTIAL"),
    ("愧疚没有，没用倒是有点。", "SUFFICIENT_POS"),
])
def test_two_components_answered(answer, expected):
    assert state("guilt_worthlessness", "I: 会不会觉得愧疚，或者觉得自己没用？", f"P: {answer}") == expected


def test_a_day_told_before_its_answer():
    assert state("concentration", "I: 有没有走神？", "P: 前天陪孩子春游，那天没有。", instrument="PHQ-8") == "PARTIAL"


def test_what_made_no_frame_withdraws_no_other():
    turns = ("I: 人瘦没瘦？", "P: 瘦了。", "I: 会觉得自己没用吗？", "P: 那可不咋地，没用一个。", "I: 嗯。",
             "P: 刚刚讲自己没用那句，我收回去。")
    assert state("appetite_weight", *turns) == "SUFFICIENT_POS"


@pytest.mark.parametrize("question, answer, kinds", [
    ("想过自杀没有？", "自杀？那没寻思过。", {"deny definite suicidal_thoughts"}),
    ("想过自杀没有？", "自杀，从未想过。", {"deny definite suicidal_thoughts"}),
    ("琢磨过自杀没有？", "自杀？琢磨过。", {"affirm definite suicidal_thoughts"}),
    ("夜里好不好入睡？", "好睡。", {"deny definite onset"}),
    ("夜里好不好入睡？", "不好睡。", {"affirm definite ALL"}),
    ("动作有没有变慢？", "没有变慢。", {"deny definite retardation"}),
    ("兴趣有没有减少？", "减少了。", {"affirm definite interest"}),
    ("安眠药吃多久了？", "两个月了。", {"affirm indicator ALL"}),
    ("会觉得自己没用吗？", "没用那种感觉有的。", {"affirm definite worthlessness"}),
    ("还跳广场舞吗？", "不跳了。", {"affirm definite activity"}),
    ("胃口和体重有变化没？", "没变化。", {"deny definite ALL"}),
])
def test_an_answer_that_says_again_what_was_asked(question, answer, kinds):
    assert said(f"I: {question}", f"P: {answer}") == kinds


@pytest.mark.parametrize("back", [
    "便当吃不到三口、掉了四公斤那两句划掉。", "胃口那几句我缠错了，不是我。", "刚才这整段作废。",
])
def test_a_list_of_names_takes_back_each(back):
    turns = "I: 吃饭呢？", "P: 便当打开就不想吃，吃不到三口，掉了四公斤。", "I: 嗯。", f"P: {back}"
    assert state("appetite_weight", *turns) == "ABSENT"


@pytest.mark.parametrize("text, others", [
    ("我隔壁工位的小李整宿睡不着。", True),
    ("我们那个会计整宿睡不着。", True),
    ("张婶愁得整宿睡不着。", True),
    ("王姐劝我吃药，我还是整宿睡不着。", False),
    ("我在工地当保安，整宿睡不着。", False),
])
def test_people_by_where_they_are_and_what_they_do(text, others):
    assert bool(said(f"P: {text}")) != others


def test_when_it_was_goes_with_what_is_said_again():
    first = "I: 吃饭呢？", "P: 一口都吃不下。", "I: 嗯。"
    assert state("appetite_weight", *first, "P: 吃不下那是上个月发烧的时候。") == "ABSENT"
    assert state("appetite_weight", *first, "P: 吃不下是真的，从上个月就这样。") == "SUFFICIENT_POS"


def test_what_more_is_told_of_a_time_is_of_that_time():
    assert state("anhedonia", "P: 半年前那两天什么都提不起兴致。追的剧更新了都懒得点开。") == "ABSENT"
    assert state("anhedonia", "P: 半年前什么都提不起兴致。现在还是懒得出门，没兴趣。") == "SUFFICIENT_POS"


def test_a_wish_to_leave_takes_back_nothing():
    turns = "I: 累吗？", "P: 干什么都没劲。", "I: 嗯。", "P: 上班我都想早点走。"
    assert state("fatigue", *turns) == "SUFFICIENT_POS"


@pytest.mark.parametrize("text, kinds", [
    ("要是眼睛一闭，第二天别再睁开了，倒也省心。", {"affirm definite death_wish"}),
    ("我躺下，不想起来。", set()),
    ("夜里要醒一回，熬上一个钟头才能再眯过去。", {"affirm definite maintenance"}),
    ("昨天在站台上来回走了一个小时。", {"affirm definite agitation"}),
    ("手脚一点儿没慢。", {"deny definite retardation"}),
])
def test_what_looks_like_another_component(text, kinds):
    assert said(f"P: {text}") == kinds


def test_each_evening_is_no_time_past():
    assert state("depressed_mood", "P: 一到关店那会儿就想哭，心里难受。") == "SUFFICIENT_POS"
    assert state("depressed_mood", "P: 那年关店那会儿就想哭，心里难受。") == "ABSENT"


@pytest.mark.parametrize("text, kinds", [
    ("大夫，涣散得厉害。", {"affirm definite concentration"}),
    ("老实讲，最近啊，涣散得厉害。", {"affirm definite concentration"}),
    ("大家都一样，您别问了，我先喝口水。", set()),
])
def test_an_address_or_an_aside_is_no_part_of_what_an_answer_leaves_out(text, kinds):
    assert said("I: 注意力怎么样？", f"P: {text}") == kinds
    assert state("sleep", "I: 睡觉这方面呢？", "P: 老实讲，这些日子嘛，我躺下就能睡着。") == "PARTIAL"
    assert state("anhedonia", "I: 兴趣这方面呢？", "P: 大夫，这阵子啊，我的爱好全停了。") == "SUFFICIENT_POS"


@pytest.mark.parametrize("text, expected", [
    ("可能爱听的戏我听着也没了乐趣。", "PARTIAL"), ("也许最喜欢的歌我唱着也没乐趣了。", "PARTIAL"),
    ("爱听的戏我听着也没了乐趣。", "SUFFICIENT_POS"),
    ("可能压力大的缘故，爱听的戏我听着也没了乐趣。", "SUFFICIENT_POS"),
])
def test_a_hedge_before_the_object_that_its_clause_puts_first(text, expected):
    assert state("anhedonia", f"P: {text}") == expected
    assert said("I: 睡得怎么样？", "P: 可能心里难过的缘故我睡不着。") >= {"affirm definite onset"}


@pytest.mark.parametrize("text, kinds", [
    ("这段时间动作慢。", {"affirm definite retardation"}), ("这段日子说话很慢。", {"affirm definite retardation"}),
    ("这段时间动作慢、坐不住我一样都没有。", {"deny definite retardation", "deny definite agitation"}),
    ("这段时间过得很慢。", set()), ("日子过得真慢。", set()),
])
def test_what_is_slow_in_a_time_is_not_the_time(text, kinds):
    assert said(f"P: {text}") == kinds


@pytest.mark.parametrize("text, own", [
    ("我下不了决心。", True), ("我爸下不了决心。", False), ("我妈拿不了主意。", False), ("我真下不了决心。", True),
])
def test_whose_an_elliptic_answer_is(text, own):
    assert bool(said("I: 您做决定怎么样？", f"P: {text}")) == own


def test_to_wake_at_night_and_sleep_again_is_to_wake():
    assert said("P: 半夜老醒过来又睡过去。") == {"affirm definite maintenance"}
    assert said("P: 早上睡醒了又睡过去。") == {"affirm definite hypersomnia"}


@pytest.mark.parametrize("last", [
    "我心情很差，照实讲。刚才那句不算。", "我提个篮子都没劲，近来都这样。刚那句当我没说。",
])
def test_what_closes_a_statement_names_no_earlier_one(last):
    first = "I: 您心情怎么样？", "P: 我心情挺好，照实讲。", "I: 您的精力呢？", "P: 我浑身没劲。"
    turns = *first, "I: 您接着说。", f"P: {last}"
    assert (state("depressed_mood", *turns), state("fatigue", *turns)) == ("SUFFICIENT_NEG", "SUFFICIENT_POS")


def test_a_statement_that_is_dated_in_its_own_sentence_corrects_none():
    first = "I: 做事的兴致怎么样？", "P: 我的爱好全都停了，那是前天的事。"
    again = "I: 做事的兴致如何？", "P: 我的爱好全都停了，那是我念高中的时候的事。"
    assert state("anhedonia", *first, *again) == "SUFFICIENT_POS"
    assert state("anhedonia", *first, "I: 嗯。", "P: 不对，那是我念高中的时候的事。") == "ABSENT"
    first = "I: 精力怎么样？", "P: 不好不坏。"
    assert state("fatigue", *first, "I: 累吗？", "P: 我不是累就是没劲，我说的是前天。") == "SUFFICIENT_POS"


@pytest.mark.parametrize(("turns", "expected"), [
    # a sentence of the speaker's own is taken back itself, whatever they answered before
    (("I: 您心情是不是不好？", "P: 倒不至于。", "I: 您怎么来的？", "P: 坐公交。我心情挺好。刚才那句不算。"), "PARTIAL"),
    (("I: 您心情怎么样？", "P: 心情一直没差。", "I: 心情怎么样？", "P: 心情没变坏。刚才那句不算。"), "SUFFICIENT_NEG"),
    # what was answered, or said in the same words, is named
    (("I: 您心情是不是不好？", "P: 是。", "I: 嗯。", "P: 心情不好那句不算。"), "ABSENT"),
    (("P: 我心情不好。", "I: 嗯。", "P: 我心情不好。刚才那句不算。"), "ABSENT"),
])
def test_what_is_said_in_full_before_a_retraction(turns, expected):
    assert state("depressed_mood", *turns) == expected


SLOW = ("I: 手脚利索吗？", "P: 慢了，干嘛都慢。", "I: 店里乱吗？")


@pytest.mark.parametrize("text, expected", [
    ("乱，那表排得跟闹着玩似的。", "POS"),
    ("店长说话就像瞎编的一样。", "POS"),
    ("我说的慢，是闹着玩的。", "ABS"),
    ("我刚才说的跟闹着玩似的，您别当真。", "ABS"),
])
def test_what_something_is_likened_to_takes_nothing_back(text, expected):
    assert state("psychomotor", *SLOW, f"P: {text}") == SHORT[expected]


DEATH = ("I: 有没有不想活的念头？", "P: 有。这几天就想，还不如死了。前天擦窗户，我还想过松手跳下去。", "I: 还有吗？")
GUILT = ("I: 孩子转学了？", "P: 转了。我总在怪自己，都是我硬要离婚。都是我害的他。我还是个失败的妈。", "I: 还有吗？")


@pytest.mark.parametrize("talk, dimension, text, expected", [
    (DEATH, "suicidal_ideation", "我收回刚才那段话，还不如死了也好，松手跳下去也好，都是我随口乱说的。", "ABS"),
    (DEATH, "suicidal_ideation", "松手跳下去那句是我瞎说的。", "POS"),
    (DEATH, "suicidal_ideation", "冷也好，热也好，都是我自己挑的。", "POS"),
    (GUILT, "guilt_worthlessness", "刚才讲怪自己、害了他那几句，是电视剧里的台词，删掉吧。", "POS"),
    (GUILT, "guilt_worthlessness", "刚才讲怪自己、害了他、失败的妈那几句，是电视剧里的台词，删掉吧。", "ABS"),
    (GUILT, "guilt_worthlessness", "怪自己那句是我瞎说的。", "POS"),
])
def test_a_list_takes_back_all_that_it_names(talk, dimension, text, expected):
    assert state(dimension, *talk, f"P: {text}") == SHORT[expected]


@pytest.mark.parametrize("text", [
    "看到别人开心，我想走。", "看见孩子高兴的样子，我想走。", "当同事们谈笑风生，分享各自的快乐时，我想走。",
    "在同事们开心地交流时，我想走。", "看到身边的人都那么开心，我想走。", "每当大家都很高兴的时候，我想走。",
    "看见他们过得那么幸福快乐，我想走。",
])
def test_the_health_of_others_who_are_seen_or_around(text):
    assert not said(f"P: {text}")


@pytest.mark.parametrize("text, kinds", [
    ("在同事面前我很开心。", {"deny definite low_mood"}),
    ("当班长的时候睡不好。", {"affirm definite ALL"}),
    ("看到孩子我就开心。", {"deny definite pleasure"}),
    ("见到朋友我很高兴。", {"deny definite low_mood"}),
    ("看到别人开心，我就难过。", {"affirm definite low_mood"}),
])
def test_the_speaker_beside_others(text, kinds):
    assert said(f"P: {text}") == kinds


@pytest.mark.parametrize("text, kinds", [
    ("我会努力调整自己，相信未来会更好。", set()),
    ("尽量调整心态，觉得以后会好起来。", set()),
    ("我相信未来会更好。", {"deny definite hopelessness"}),
    ("我努力调整自己，我相信未来会更好。", {"deny definite hopelessness"}),
    ("努力工作，觉得未来很有希望。", {"deny definite hopelessness"}),
])
def test_an_effort_at_oneself_goes_on(text, kinds):
    assert said(f"P: {text}") == kinds


@pytest.mark.parametrize("question, answer, expected", [
    ("月经期间有没有情绪变化？", "情绪上也没有明显变化。", "PART"),
    ("经期有没有不舒服？情绪怎么样？", "情绪挺好的。", "NEG"),
    ("考试的时候心情怎么样？", "心情挺好。", "PART"),
    ("月经期间有没有情绪变化？", "没有，情绪一直很好。", "NEG"),
    ("月经期间会不会情绪低落？", "会，特别难过。", "POS"),
])
def test_what_was_asked_of_one_occasion(question, answer, expected):
    assert state("depressed_mood", f"I: {question}", f"P: {answer}") == SHORT[expected]


@pytest.mark.parametrize("text, expected", [
    ("有时候入睡困难，但基本上都能入睡。", "POS"),
    ("偶尔睡不着，不过大部分时候睡得不错。", "POS"),
    ("睡不着，我睡得很好。", "CONF"),
    ("三年前睡不着，现在一般都睡得好。", "NEG"),
])
def test_what_is_so_for_the_most_part(text, expected):
    assert state("sleep", "I: 睡眠怎么样？", f"P: {text}") == SHORT[expected]


def test_slower_than_usual_is_of_no_other_time():
    text = "上上礼拜盘点，忙了两天。那两天我干嘛都比平常慢，人家点完一筐我才点仨，我走路也慢。"
    assert state("psychomotor", "I: 忙不忙？", f"P: {text}") == "ABSENT"


@pytest.mark.parametrize(("turns", "dimension", "state"), [
    # from a day on, by whatever end
    (("I: 从前天到今天，有没有想过死或者自杀？", "P: 没有。"), "suicidal_ideation", "PARTIAL"),
    (("I: 这一周，有没有想过死或者自杀？", "P: 没有。"), "suicidal_ideation", "SUFFICIENT_NEG"),
    (("I: 有没有想过死或者自杀？", "P: 没有。"), "suicidal_ideation", "SUFFICIENT_NEG"),
    (("I: 您最近精神怎么样？", "P: 从前天到今天我都不累。"), "fatigue", "PARTIAL"),
    (("I: 您最近精神怎么样？", "P: 从前天起我都不累。"), "fatigue", "PARTIAL"),
    (("I: 您最近精神怎么样？", "P: 从上个月到今天我都不累。"), "fatigue", "SUFFICIENT_NEG"),
    (("I: 您最近精神怎么样？", "P: 昨天开始累。"), "fatigue", "SUFFICIENT_POS"),
    # one thing and the other, denied behind a time and 我
    (("I: 有没有不想活或者自杀的念头？", "P: 不想活也好，自杀也好，这一周我一次都没想过。"), "suicidal_ideation",
     "SUFFICIENT_NEG"),
    (("I: 有没有不想活或者自杀的念头？", "P: 不想活也好，自杀也好，我都想过。"), "suicidal_ideation", "SUFFICIENT_POS"),
])
def test_from_a_day_on_and_one_thing_or_the_other(turns, dimension, state):
    assert cells(*turns)[dimension].state == state
