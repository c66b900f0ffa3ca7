"""The contract's own examples, sections 2 and 3, as small dialogues with the state that must follow.

Where the contract gives a wording, it stands here as it stands there; where it gives a kind, the wording is ours. The
heading of each group is the contract's.
"""
from __future__ import annotations

import cProfile
from datetime import date

import pytest
from spoken import SHORT, asserted, cells, frames, state

ENJOY = "I: Do you still enjoy things?"
GUILTY = "I: Do you feel guilty?"
SLEEP = "I: How is your sleep?"
TROUBLE = "I: Any trouble sleeping?"
GUILT = "I: 有没有觉得内疚？"
SHUI = "I: 睡眠怎么样？"

# group, instrument ("" is PHQ-8 in English, HAMD-17 in Chinese), dimension, state, turns
CASES = [
    # Frames: what a question gives its answer
    ("answers", "", "sleep", "NEG", [TROUBLE, "P: No."]),
    ("answers", "", "sleep", "POS", [TROUBLE, "P: Yes, a lot."]),
    ("answers", "", "sleep", "POS", ["I: You said you wake at four?", "P: Mm-hm."]),
    ("answers", "", "appetite_weight", "NEG", ["I: How is your appetite?", "P: Fine."]),
    ("answers", "", "appetite_weight", "POS", ["I: How is your appetite?", "P: Not great."]),
    ("answers", "", "sleep", "NEG", ["I: 睡眠有什么问题吗？", "P: 没有。"]),
    ("answers", "", "sleep", "POS", ["I: 晚上睡不着吗？", "P: 是的，经常。"]),
    ("answers", "", "sleep", "POS", ["I: 您说您四点就醒了？", "P: 嗯。"]),
    ("answers", "", "appetite_weight", "NEG", ["I: 胃口怎么样？", "P: 挺好的。"]),
    ("answers", "", "appetite_weight", "POS", ["I: 胃口怎么样？", "P: 不太好。"]),
    ("answers", "", "sleep", "NEG", ["I: How easy is it to get a good night's sleep?", "P: Easy."]),
    ("answers", "", "sleep", "ABS", [TROUBLE, "P: Could I have some water?"]),
    ("answers", "", "sleep", "PART", ["I: So you wake up at night.", "P: That's not true."]),
    ("answers", "", "sleep", "PART", ["I: 入睡困难吗？", "P: 不困难。"]),
    ("answers", "", "depressed_mood", "ABS", ["I: 去年难过吗？", "P: 难过。"]),
    ("who speaks", "", "sleep", "POS", ["I: How are his nights?", "F: He can't fall asleep."]),
    ("who speaks", "", "sleep", "ABS", ["I: You can't sleep.", "P: What time is it?"]),
    # Indicators
    ("hedged", "", "depressed_mood", "PART", ["P: Maybe I'm depressed."]),
    ("hedged", "", "depressed_mood", "PART", ["P: I guess I'm sad."]),
    ("hedged", "", "depressed_mood", "PART", ["P: I might be depressed."]),
    ("hedged", "", "depressed_mood", "PART", ["P: I'm not sure if I'm depressed."]),
    ("hedged", "", "depressed_mood", "PART", ["P: I suppose I'm sad."]),
    ("hedged", "", "depressed_mood", "PART", ["P: Could be that I'm sad."]),
    ("hedged", "", "depressed_mood", "PART", ["P: 可能有点难过。"]),
    ("hedged", "", "depressed_mood", "PART", ["I: 心情低落吗？", "P: 说不好。"]),
    ("weak denial", "", "guilt_worthlessness", "PART", [GUILTY, "P: Not really."]),
    ("weak denial", "", "guilt_worthlessness", "PART", [GUILTY, "P: I guess not."]),
    ("weak denial", "", "guilt_worthlessness", "PART", [GUILTY, "P: Not that I noticed."]),
    ("weak denial", "", "guilt_worthlessness", "PART", [GUILTY, "P: Rarely."]),
    ("weak denial", "", "sleep", "PART", [SHUI, "P: 还行吧。"]),
    ("weak denial", "", "guilt_worthlessness", "PART", [GUILT, "P: 不太有吧。"]),
    ("weak denial", "", "guilt_worthlessness", "PART", [GUILT, "P: 应该没有。"]),
    ("no direction", "", "sleep", "PART", [SLEEP, "P: So-so."]),
    ("no direction", "", "sleep", "PART", [SLEEP, "P: It is what it is."]),
    ("no direction", "", "sleep", "PART", [SHUI, "P: 一般般。"]),
    ("change", "", "sleep", "PART", [SLEEP, "P: Better than before."]),
    ("change", "", "sleep", "PART", [SHUI, "P: 好一些了。"]),
    ("proxy", "", "sleep", "PART", ["P: I take sleeping pills."]),
    ("proxy", "", "fatigue", "PART", ["P: I drink lots of coffee to get through the day."]),
    ("proxy", "", "depressed_mood", "PART", ["P: I'm on antidepressants."]),
    ("proxy", "", "depressed_mood", "PART", ["P: I'm being treated for depression at the moment."]),
    ("proxy", "", "fatigue", "PART", ["P: My coworkers say I look exhausted."]),
    ("proxy", "", "fatigue", "PART", ["P: People tell me I look tired."]),
    ("amount", "", "depressed_mood", "POS", ["P: I'm a bit sad."]),
    ("amount", "", "sleep", "POS", ["P: Sometimes I can't fall asleep."]),
    ("amount", "", "sleep", "POS", ["P: A few nights I couldn't fall asleep."]),
    ("amount", "", "depressed_mood", "POS", ["P: 有点难过。"]),
    ("amount", "", "sleep", "POS", ["P: 偶尔睡不着。"]),
    # Edge cases, decided
    ("well-being", "", "depressed_mood", "PART", ["P: I've been feeling all right lately."]),
    ("well-being", "", "depressed_mood", "PART", ["I: How have you been feeling lately?", "P: Pretty good overall."]),
    ("well-being", "", "depressed_mood", "ABS", ["P: I'm anxious and stressed and my back hurts."]),
    ("cause", "", "sleep", "PART", ["I: Is the stress affecting your sleep?", "P: No."]),
    ("cause", "", "sleep", "POS", ["P: The cough keeps me up."]),
    ("either-or", "", "guilt_worthlessness", "NEG", ["I: Do you feel guilty or worthless?", "P: No."]),
    ("either-or", "", "guilt_worthlessness", "POS", ["I: Do you feel guilty or worthless?", "P: Yes."]),
    ("either-or", "", "guilt_worthlessness", "POS",
     ["I: Do you feel guilty or worthless?", "P: Yes.", "I: I see.", "P: I don't feel worthless."]),
    ("either-or", "", "guilt_worthlessness", "CONF",
     ["I: Do you feel guilty or worthless?", "P: Worthless, yes.", "I: I see.", "P: I don't feel worthless."]),
    ("denying health", "", "anhedonia", "POS", [ENJOY, "P: Not really."]),
    ("denying health", "", "anhedonia", "POS", ["I: 做以前喜欢的事还觉得开心吗？", "P: 不怎么开心。"]),
    ("degree words", "", "depressed_mood", "POS", ["P: I'm sort of sad."]),
    ("degree words", "", "depressed_mood", "POS", ["P: I think I'm depressed."]),
    ("degree words", "", "guilt_worthlessness", "POS", ["P: I feel like I'm a failure."]),
    ("degree words", "", "guilt_worthlessness", "POS", ["P: 我觉得我没用。"]),
    ("degree words", "", "depressed_mood", "PART", ["P: I'm probably depressed."]),
    ("degree words", "", "depressed_mood", "PART", ["P: Perhaps I'm depressed."]),
    ("degree words", "", "depressed_mood", "PART", ["P: It could be I'm depressed, I suppose."]),
    ("degree words", "", "depressed_mood", "PART", ["P: 也许是抑郁。"]),
    ("degree words", "", "sleep", "PART", ["I: 失眠吗？", "P: 大概吧。"]),
    ("degree words", "", "depressed_mood", "PART", ["I: 心情低落吗？", "P: 说不上来。"]),
    ("normal amounts", "", "fatigue", "PART", ["P: Just regular tiredness."]),
    ("normal amounts", "", "depressed_mood", "PART", ["P: Just the usual ups and downs in my mood."]),
    ("normal amounts", "", "fatigue", "PART", ["P: 就是正常的累。"]),
    ("presupposed", "", "sleep", "POS", ["P: The insomnia makes it worse."]),
    ("presupposed", "", "sleep", "PART", ["P: When I can't sleep I read."]),
    ("how near is near", "", "anhedonia", "ABS", ["P: I like my job."]),
    ("borders", "", "sleep", "PART", ["P: I have nightmares."]),
    ("borders", "", "sleep", "PART", ["P: I sleep the whole night and wake up unrefreshed."]),
    ("borders", "", "sleep", "POS", ["P: I only get three hours of sleep."]),
    ("borders", "", "sleep", "POS", ["P: I wake up in the middle of the night."]),
    ("borders", "", "fatigue", "POS", ["P: Everything is an effort."]),
    ("borders", "", "appetite_weight", "ABS", ["P: I'm dieting because of my cholesterol."]),
    ("borders", "", "psychomotor", "POS", ["P: I can't sit still."]),
    ("borders", "", "psychomotor", "ABS", ["P: I'm on edge."]),
    ("borders", "", "guilt_worthlessness", "POS", ["P: It's all my fault."]),
    ("borders", "", "guilt_worthlessness", "POS", ["P: I'm a burden to everyone."]),
    ("borders", "", "depressed_mood", "POS", ["P: I see no way out."]),
    ("borders", "", "anhedonia", "ABS", ["P: I've lost interest in sex."]),
    ("borders", "", "concentration", "POS", ["P: My mind wanders."]),
    ("borders", "BDI-II", "suicidal_ideation", "POS", ["P: I'd be better off dead."]),
    ("borders", "", "psychomotor", "ABS", ["P: 我很烦躁。"]),
    ("borders", "", "psychomotor", "POS", ["P: 坐不住，来回走。"]),
    ("the topic", "", "appetite_weight", "NEG", ["P: 胃口没问题。"]),
    ("the topic", "", "appetite_weight", "NEG", ["P: 饮食一直正常。"]),
    ("the topic", "", "appetite_weight", "PART", ["P: 没有吃不下。"]),
    ("the topic", "", "sleep", "NEG", ["P: My sleep is fine."]),
    ("the topic", "", "sleep", "NEG", ["P: No trouble sleeping."]),
    ("the topic", "", "anhedonia", "PART", ["P: I have no loss of interest."]),
    ("suicidality", "BDI-II", "suicidal_ideation", "PART", ["P: No suicidal thoughts."]),
    ("suicidality", "", "suicidal_ideation", "PART", ["P: 没想过自杀。"]),
    ("suicidality", "", "suicidal_ideation", "NEG", ["P: 没想过死，也没想过自杀。"]),
    ("suicidality", "BDI-II", "suicidal_ideation", "NEG",
     ["I: Do you wish you were dead, or think about killing yourself?", "P: No."]),
    ("suicidality", "", "suicidal_ideation", "POS", ["P: 活着没意思。"]),
    ("suicidality", "BDI-II", "suicidal_ideation", "POS", ["P: It's not worth living."]),
    ("suicidality", "BDI-II", "suicidal_ideation", "PART", ["P: What's the point of it all."]),
    ("suicidality", "BDI-II", "suicidal_ideation", "PART", ["P: I have dark thoughts."]),
    ("suicidality", "", "suicidal_ideation", "PART", ["P: 有一些消极的念头。"]),
    ("suicidality", "", "suicidal_ideation", "POS", ["I: 有没有自杀的想法？", "P: 有一些消极的念头。"]),
    ("slowness", "", "psychomotor", "POS", ["P: 脑子转得慢。"]),
    ("slowness", "PHQ-8", "concentration", "POS", ["P: My thinking has slowed down."]),
    ("slowness", "PHQ-8", "psychomotor", "ABS", ["P: My thinking has slowed down."]),
    ("activity", "", "anhedonia", "PART", ["P: 因为太累，家务都不做了。"]),
    ("activity", "", "anhedonia", "POS", ["P: 不想出门，谁都不想见。"]),
    ("reach of a hedge", "", "sleep", "POS", ["P: 可能因为压力大，睡不着。"]),
    ("reach of a hedge", "", "sleep", "POS", ["P: 可能是因为工作睡不着。"]),
    ("how good", "", "sleep", "NEG", [SLEEP, "P: It's good."]),
    ("how good", "", "sleep", "NEG", [SLEEP, "P: Normal."]),
    ("how good", "", "sleep", "NEG", [SLEEP, "P: No problem."]),
    ("how good", "", "sleep", "PART", [SLEEP, "P: Okay."]),
    ("how good", "", "sleep", "PART", [SLEEP, "P: Alright."]),
    ("how good", "", "sleep", "PART", [SLEEP, "P: Not bad."]),
    ("how good", "", "sleep", "NEG", [SHUI, "P: 没问题。"]),
    ("how good", "", "sleep", "NEG", [SHUI, "P: 正常。"]),
    ("how good", "", "sleep", "NEG", [SHUI, "P: 不错。"]),
    ("how good", "", "sleep", "PART", [SHUI, "P: 还可以。"]),
    ("how good", "", "sleep", "PART", [SHUI, "P: 凑合。"]),
    ("how good", "", "sleep", "PART", [SHUI, "P: 挺好的吧。"]),
    ("how good", "", "appetite_weight", "NEG", ["I: Any change in your appetite or weight?", "P: No change."]),
    ("restricted", "", "guilt_worthlessness", "PART", ["P: 对孩子我倒没觉得亏欠。"]),
    ("restricted", "", "concentration", "PART", ["P: I don't have trouble concentrating at work."]),
    ("restricted", "", "anhedonia", "ABS", ["P: I go to work, I take care of the kids."]),
    ("between the lines", "", "sleep", "ABS", ["P: I couldn't sleep last year."]),
    ("between the lines", "", "sleep", "PART", ["P: I slept fine last night."]),
    ("whose word", "", "sleep", "CONF", ["I: How do you sleep?", "P: I sleep well.", "F: He doesn't sleep at all."]),
    ("whose word", "", "sleep", "POS", ["F: He can't sleep.", "P: Scratch that."]),
    ("only taking back", "", "sleep", "ABS", ["P: I can't sleep.", "I: I see.", "P: That's not true."]),
    ("only taking back", "", "sleep", "ABS", ["P: I can't sleep.", "I: I see.",
                                              "P: What I said about sleep was a lie."]),
    ("only taking back", "", "sleep", "NEG", ["P: I can't sleep.", "I: I see.", "P: Not true, I sleep well."]),
    ("only taking back", "", "sleep", "ABS",
     ["P: I couldn't sleep this week.", "I: I see.", "P: It wasn't this week, it was last month."]),
    ("only taking back", "", "sleep", "ABS", ["P: 我睡不着。", "I: 嗯。", "P: 刚才说睡不着，没这回事。"]),
    ("days are whole", "", "sleep", "POS", ["P: Two weeks ago I couldn't sleep."]),
    ("days are whole", "", "sleep", "POS", ["P: A fortnight ago I couldn't sleep."]),
    ("days are whole", "", "sleep", "ABS", ["P: Fifteen days ago I couldn't sleep."]),
    ("days are whole", "HAMD-17", "sleep", "ABS", ["P: Two weeks ago I couldn't sleep."]),
    ("days are whole", "", "sleep", "POS", ["P: 七天前我睡不着。"]),
    ("days are whole", "", "sleep", "ABS", ["P: 八天前我睡不着。"]),
    ("rough times", "", "sleep", "ABS", ["P: 上上礼拜我睡不着。"]),
    ("rough times", "PHQ-8", "sleep", "POS", ["P: 上上礼拜我睡不着。"]),
    ("rough times", "PHQ-8", "sleep", "POS", ["P: 半个月前我睡不着。"]),
    ("rough times", "", "sleep", "ABS", ["P: 半个月前我睡不着。"]),
    ("rough times", "PHQ-8", "sleep", "ABS", ["P: 上个月我睡不着。"]),
    ("rough times", "", "sleep", "ABS", ["P: Last month I couldn't sleep."]),
    ("rough times", "HAMD-17", "sleep", "ABS", ["P: Over a week ago I couldn't sleep."]),
    ("rough times", "", "sleep", "ABS", ["P: 一个多礼拜前我睡不着。"]),
    ("rough times", "", "sleep", "POS", ["P: 我睡不着，一个多礼拜了。"]),
    ("rough times", "", "sleep", "PART", ["P: I've slept well for ten days now."]),
    ("rough times", "HAMD-17", "sleep", "NEG", ["P: I've slept well for ten days now."]),
    ("rough times", "HAMD-17", "sleep", "NEG", ["P: Last week I slept terribly, but this week I sleep fine."]),
    ("since", "", "sleep", "POS", ["P: Since March I can't sleep."]),
    ("since", "", "sleep", "NEG", ["P: Since last year my sleep has been fine."]),
    ("since", "", "sleep", "PART", ["P: Since yesterday my sleep has been fine."]),
    ("since", "", "sleep", "PART", ["P: 从昨天开始睡眠正常了。"]),
    ("retraction names", "", "sleep", "ABS",
     ["P: I can't sleep.", "I: And your mood?", "P: I feel sad.", "I: I see.", "P: Forget what I said about sleep."]),
    ("retraction names", "", "depressed_mood", "POS",
     ["P: I can't sleep.", "I: And your mood?", "P: I feel sad.", "I: I see.", "P: Forget what I said about sleep."]),
    ("retraction names", "", "sleep", "ABS",
     ["P: I can't sleep.", "I: And your mood?", "P: I feel sad.", "I: I see.", "P: Forget everything I said."]),
    ("retraction names", "", "sleep", "ABS",
     ["P: I can't sleep.", "I: And your mood?", "P: I feel sad.", "I: I see.", "P: Everything I said was a lie."]),
    ("retraction names", "", "depressed_mood", "ABS",
     ["P: I can't sleep.", "I: And your mood?", "P: I feel sad.", "I: I see.", "P: Everything I said was a lie."]),
    ("retraction names", "", "sleep", "ABS",
     ["P: 我睡不着。", "I: 心情呢？", "P: 我很难过。", "I: 嗯。", "P: 刚才说的全都不算。"]),
    ("retraction names", "", "depressed_mood", "POS",
     ["P: 我很难过。", "I: 睡眠呢？", "P: 我睡不着。", "I: 嗯。", "P: 我说错了。"]),
    ("retraction names", "", "sleep", "POS",
     ["P: I sleep well.", "I: Hm.", "P: I can't fall asleep.", "I: Hm.", "P: Ignore what I said about sleeping well."]),
    ("retraction names", "", "sleep", "ABS", ["P: I can't sleep.", "I: I see.", "P: That's not me, that's my sister."]),
    ("retraction names", "", "depressed_mood", "POS", ["P: I feel sad.", "I: And mornings?", "P: I scratch my arm."]),
    ("retraction names", "", "depressed_mood", "POS", ["P: I feel sad.", "I: And then?", "P: I take the kids out."]),
    ("retraction names", "", "depressed_mood", "POS", ["P: I feel sad.", "I: And then?", "P: I skip my run."]),
    ("retraction names", "", "sleep", "POS", ["P: I can't sleep.", "I: And then?",
                                              "P: I forget the rest of the story."]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILTY, "P: I don't think so."]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILTY, "P: Probably not."]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILTY, "P: I don't suppose so."]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILTY, "P: Not too much."]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILTY, "P: Nothing that jumps out."]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILT, "P: 应该不会。"]),
    ("more weak denials", "", "guilt_worthlessness", "PART", [GUILT, "P: 没太注意。"]),
    ("greetings", "", "depressed_mood", "ABS", ["I: How are you?", "P: Fine."]),
    ("greetings", "", "depressed_mood", "PART", ["I: How have you been feeling lately?", "P: Fine."]),
    ("greetings", "", "sleep", "POS", ["I: How are you?", "P: I can't sleep."]),
    ("one good time", "", "anhedonia", "PART", ["P: I had a great time on Saturday."]),
    ("one good time", "", "anhedonia", "CONF", ["P: I get no joy out of anything.", "I: Hm.",
                                                "P: I'm enjoying everything lately."]),
    ("one good time", "", "guilt_worthlessness", "ABS", ["P: I regret that I sold the house."]),
    ("carried time", "", "sleep", "ABS", ["I: How did you sleep in college?", "P: I couldn't fall asleep."]),
    ("carried time", "", "sleep", "ABS",
     ["P: Last spring was hard.", "I: How did you sleep back then?", "P: I couldn't fall asleep that month."]),
    ("word quarrels", "", "guilt_worthlessness", "PART", [GUILTY, "P: I wouldn't call it guilt."]),
    ("word quarrels", "", "guilt_worthlessness", "ABS", [GUILTY, "P: I'd rather not say."]),
    ("time without tense", "", "sleep", "PART", ["P: 昨天放假，一躺就睡到天亮。"]),
    ("time without tense", "", "sleep", "POS", ["I: 失眠有没有？", "P: 有过。"]),
    ("time without tense", "", "sleep", "ABS", ["I: 失眠有没有？", "P: 去年有过。"]),
    ("parts of a component", "", "suicidal_ideation", "PART", ["P: 没有自杀的行为。"]),
    ("parts of a component", "BDI-II", "suicidal_ideation", "POS", ["P: I think about suicide, but no attempt."]),
    ("parts of a component", "", "depressed_mood", "PART", ["I: Do you feel sad or hopeless?", "P: Not often."]),
    ("parts of a component", "", "depressed_mood", "PART", ["P: 没有经常难过。"]),
    ("parts of a component", "", "depressed_mood", "POS", ["P: I feel hopeless. I still have hope at times."]),
    ("parts of a component", "", "guilt_worthlessness", "POS", ["P: I feel guilty about the divorce."]),
    ("motivation", "", "anhedonia", "POS", ["P: I have no motivation to do anything."]),
    ("motivation", "", "fatigue", "ABS", ["P: I have no motivation to do anything."]),
    ("motivation", "", "anhedonia", "POS", ["P: 没动力。"]),
    ("motivation", "", "fatigue", "PART", ["P: 力不从心。"]),
    ("seeming", "", "guilt_worthlessness", "POS", ["P: It feels like I'm worthless."]),
    ("seeming", "", "depressed_mood", "POS", ["P: 我好像很难过。"]),
    ("suicidality", "", "suicidal_ideation", "PART", ["P: 自杀的念头没有过。"]),
    ("suicidality", "", "suicidal_ideation", "PART", ["P: 自杀的念头从来没动过。"]),
    ("made up", "", "sleep", "ABS", ["P: 我睡不着。", "I: 嗯。", "P: 是我编的。"]),
    ("made up", "", "sleep", "NEG", ["I: 您睡眠不好？", "P: 哪有的事。"]),
    ("made up", "", "sleep", "PART", ["P: 失眠谈不上。"]),
    ("made up", "", "guilt_worthlessness", "PART", [GUILT, "P: 倒不至于。"]),
    ("tired is energy", "", "fatigue", "NEG", ["P: I'm not tired."]),
    ("tired is energy", "BDI-II", "fatigue", "PART", ["P: I'm not tired."]),
    ("ended", "", "concentration", "NEG", ["P: I couldn't concentrate, but it stopped three weeks ago."]),
    ("ended", "", "sleep", "ABS", ["P: I couldn't sleep until last month."]),
    ("ended", "", "depressed_mood", "ABS", ["P: I used to feel sad."]),
    ("ended", "", "depressed_mood", "PART", ["P: I'm not sad any more."]),
    ("ended", "", "concentration", "NEG", ["P: I don't have trouble concentrating any more."]),
    ("coverage", "", "concentration", "PART", ["I: Have you ever had trouble concentrating?", "P: Yes."]),
    ("coverage", "", "concentration", "NEG", ["I: Have you ever had trouble concentrating?", "P: No."]),
    ("coverage", "", "sleep", "PART", ["P: Last week my sleep was fine. Two weeks ago my sleep was fine."]),
    ("now", "", "sleep", "ABS", ["I: Today is March 20th.", "P: On March 1st I couldn't sleep."]),
    ("now", "", "sleep", "POS", ["I: Today is March 20th.", "P: On March 10th I couldn't sleep."]),
    ("below the threshold", "", "guilt_worthlessness", "PART", ["P: I'm annoyed with myself."]),
    ("below the threshold", "", "guilt_worthlessness", "PART", ["P: I feel bad asking for help."]),
    ("below the threshold", "BDI-II", "suicidal_ideation", "PART", ["P: Life has no meaning."]),
    ("below the threshold", "", "suicidal_ideation", "PART", ["P: 生活没意义。"]),
    ("below the threshold", "", "suicidal_ideation", "NEG", ["P: 没想过伤害自己，也没有不想活。"]),
    ("accepting", "", "anhedonia", "POS", ["I: How long have you not wanted to go out?", "P: A couple of weeks."]),
    ("accepting", "", "sleep", "POS", ["I: 失眠多久了？", "P: 十来天。"]),
    ("inaudible", "", "depressed_mood", "ABS", ["P: I feel [inaudible] today."]),
    # The binding operations: subject
    ("subject", "", "sleep", "ABS", ["P: My mother can't sleep."]),
    ("subject", "", "fatigue", "ABS", ["P: People my age get tired."]),
    ("subject", "", "fatigue", "ABS", ["P: You get tired when you work nights."]),
    ("subject", "", "sleep", "POS", ["P: My wife says I toss all night."]),
    ("subject", "", "sleep", "ABS", ["P: 我妈睡不着。"]),
    ("subject", "", "sleep", "POS", ["P: 我老婆说我整晚睡不着。"]),
    ("subject", "", "depressed_mood", "POS", ["P: My mother can't sleep and I feel sad."]),
    # temporal
    *[("past", "", "depressed_mood", "ABS", [f"P: {text}"]) for text in (
        "In college I felt sad.", "Last year I felt sad.", "As a child I felt sad.",
        "I felt sad before the medication.",
        "I felt sad until last month.", "Three weeks ago I felt sad.", "以前我很难过。", "前几年我很难过。",
        "上个月我很难过。", "三个星期前我很难过。")],
    ("past", "", "sleep", "ABS", ["P: In college I felt sad. I couldn't sleep."]),
    *[("present", "", "depressed_mood", "POS", [f"P: {text}"]) for text in (
        "I'm sad.", "I've been sad.", "I've felt sad for months now.", "I feel sad these days.", "Lately I feel sad.",
        "I felt sad last week.", "I felt sad this past week.", "最近我很难过。", "上周我很难过。")],
    ("future", "", "sleep", "ABS", ["P: I hope I sleep well."]),
    ("future", "", "depressed_mood", "ABS", ["P: I'm afraid I'll get depressed."]),
    ("future", "", "sleep", "ABS", ["P: 希望能睡好。"]),
    ("window-incomplete", "", "sleep", "PART", [TROUBLE, "P: This week no."]),
    ("window-incomplete", "", "sleep", "PART", [SHUI, "P: 这两天很好。"]),
    ("window-incomplete", "", "sleep", "PART", [SHUI, "P: 这两天还好。"]),
    ("window-incomplete", "", "sleep", "NEG", ["P: 上周睡眠很好。"]),
    # assertion scope
    ("scope", "", "depressed_mood", "PART", ["I: Hello.", "P: My mother is sad, but I'm not."]),
    ("scope", "", "depressed_mood", "POS", ["P: My mother is sad and so am I."]),
    ("scope", "", "depressed_mood", "POS", ["P: Why am I so sad?"]),
    ("scope", "", "depressed_mood", "POS", ["P: I'm sad, you know?"]),
    ("scope", "", "depressed_mood", "POS", ["P: If you ask me, I'm sad."]),
    ("scope", "", "sleep", "POS", ["P: I fall asleep fine but wake at three."]),
    ("scope", "", "sleep", "POS", [SLEEP, "P: Fine, except I wake at four."]),
    ("scope", "", "fatigue", "POS", ["P: I'm not sad, but tired."]),
    ("scope", "", "depressed_mood", "PART", ["P: I'm not sad, but tired."]),
    ("scope", "", "fatigue", "POS", ["P: 我不难过，只是累。"]),
    ("scope", "", "sleep", "POS", ["P: 我不难过，不过睡不着。"]),
    ("double", "", "fatigue", "POS", ["P: I can't say I'm not tired."]),
    ("double", "", "fatigue", "POS", ["P: I'd be lying if I said I wasn't tired."]),
    ("double", "", "fatigue", "POS", ["P: 我不能说不累。"]),
    ("pseudo", "", "anhedonia", "POS", ["P: I'm no longer able to enjoy things."]),
    ("pseudo", "", "fatigue", "POS", ["P: I'm not only tired, I'm sad."]),
    ("pseudo", "", "fatigue", "POS", ["P: 我不得不承认我很累。"]),
    ("pseudo", "", "sleep", "POS", ["P: 我睡不着。"]),
    *[("asserts nothing", "BDI-II", dimension, "ABS", [f"P: {text}"]) for dimension, text in (
        ("sleep", "If I can't sleep, I'll call you."), ("depressed_mood", "Am I depressed?"),
        ("depressed_mood", "I'm so depressed, just kidding."), ("suicidal_ideation", "I'm dying to see it."),
        ("fatigue", "I'm sick and tired of the traffic."), ("depressed_mood", "It was a depressing film."),
        ("depressed_mood", "Other people would say I'm depressed, and stay in bed."))],
    ("asserts nothing", "", "depressed_mood", "ABS", ["P: Let's say I'm sad."]),
    ("asserts nothing", "", "sleep", "ABS", ["P: 如果睡不着，我就给您打电话。"]),
    ("asserts nothing", "", "depressed_mood", "ABS", ["P: 我是不是抑郁了？"]),
    # withdrawal
    *[("withdrawal", "", "sleep", "ABS", ["P: I can't sleep.", "I: I see.", f"P: {text}"]) for text in (
        "Scratch that.", "I take that back.", "That's not true actually.", "I misspoke.", "Just kidding.",
        "Actually I meant last month.", "No, that's my brother.")],
    *[("withdrawal", "", "sleep", "ABS", ["P: 我睡不着。", "I: 嗯。", f"P: {text}"]) for text in (
        "我说错了。", "收回刚才的话。")],
    *[("withdrawal", "", "sleep", "POS", ["P: I can't sleep.", "I: And then?", f"P: {text}"]) for text in (
        "I lied to my boss about the car.", "I have to take the bus back.", "It was a joke of a job.",
        "I drop my kids off at school.", "We cut the grass back.", "I lose my keys all the time.")],
    ("withdrawal", "", "sleep", "POS", ["P: 我睡不着。", "I: 然后呢？", "P: 他开玩笑惹我。"]),
    ("withdrawal", "", "sleep", "ABS", ["P: I can't sleep.", "I: I see.", "P: Sorry, that was last year."]),
    ("withdrawal", "", "sleep", "NEG", ["P: 我睡不着。", "I: 嗯。", "P: 我说错了，我睡眠很好。"]),
    ("withdrawal", "", "sleep", "NEG", ["P: 我睡不着。", "I: 嗯。", "P: 收回刚才的话，我睡眠很好。"]),
    ("answers", "", "appetite_weight", "ABS", ["I: How is your appetite?", "P: None of my friends eat breakfast."]),
    ("withdrawal", "", "fatigue", "POS", ["P: 我难过，不对，我说错了，是累。"]),
    ("withdrawal", "", "depressed_mood", "ABS", ["P: 我难过，不对，我说错了，是累。"]),
    ("withdrawal", "", "sleep", "ABS", ["P: I sleep well.", "I: I see.", "P: Scratch that."]),
    ("withdrawal", "", "sleep", "POS", ["P: I can't sleep.", "I: Scratch that.", "P: What?"]),
    ("withdrawal", "", "sleep", "CONF", ["P: My sleep is terrible.", "I: I see.", "P: My sleep is fine."]),
]


def _id(case):
    group, _, dimension, expected, turns = case
    return f"{group}-{dimension}-{expected}-{turns[-1][3:50]}"


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_the_state_that_the_contract_says(case):
    _, instrument, dimension, expected, turns = case
    assert state(dimension, *turns, instrument=instrument or None) == SHORT[expected]


def test_anxiety_stress_irritability_and_pain_are_no_frame_anywhere():
    found = cells("P: I'm anxious, stressed and irritable, and my back hurts.", instrument="BDI-II")
    assert {cell.state for cell in found.values()} == {"ABSENT"}


def test_negation_reaches_the_parts_joined_to_it():
    named = {(c, f.polarity) for f in asserted("P: No trouble falling or staying asleep.") for c in f.components}
    assert named == {("onset", "deny"), ("maintenance", "deny")}


def test_an_exceptive_leaves_the_affirmation_only():
    found = asserted("I: How is your sleep?", "P: Fine, except I wake at four.")
    assert {(f.polarity, f.strength) for f in found} == {("affirm", "definite")}


def test_an_end_inside_the_window_affirms_before_it_and_denies_after_it():
    found = [(f.polarity, f.time.from_, f.time.to)
             for f in asserted("P: I couldn't concentrate, it stopped on Tuesday.", now=date(2024, 5, 17))]
    assert ("affirm", None, 3) in found and ("deny", 3, 0) in found


@pytest.mark.parametrize(("word", "turns"), [
    ("maintenance", ["P: The baby keeps waking me at night."]),
    ("energy", ["P: I have no drive to get up."]),
    ("appetite_loss", ["P: I skip meals because I don't feel like eating."]),
    ("retardation", ["P: I'm slower at everything."]),
    ("worthlessness", ["P: I hate myself."]),
    ("guilt", ["P: I let my family down."]),
    ("death_wish", ["P: I don't want to wake up any more."]),
    ("suicidal_thoughts", ["P: I think about how I would do it, how to kill myself."]),
    ("early_waking", ["P: 凌晨四点就醒，再也睡不着。"]),
    ("hopelessness", ["P: 看不到头，觉得好不了了。"]),
    ("interest", ["P: 对什么都提不起兴趣。"]),
])
def test_the_borders_of_the_components(word, turns):
    assert word in {c for f in asserted(*turns) if (f.polarity, f.strength) == ("affirm",
        "definite") for c in f.components}


def test_full_width_letters_are_letters():
    """A house rule (width is cleaned up before anything is matched), which holds for English as well."""
    assert state("depressed_mood", "P: I'm ｓａｄ.") == "SUFFICIENT_POS"


@pytest.mark.parametrize("mark", ["\u200b", "\ufeff", "\x07", "😀", "…", "-"])
def test_a_mark_before_the_first_word_changes_nothing(mark):
    for text in ("我妈总是很累。", "My mother is always tired."):
        assert state("fatigue", f"P: {mark} {text}") == state("fatigue", f"P: {text}") == "ABSENT"


@pytest.mark.parametrize("text", ["i can not sleep but my mother is fine and yesterday i was not sad ",
                                  "我睡不着但是我妈很好，昨天我没有难过"])
def test_the_work_grows_as_the_text_does(text):
    """Four times the text takes four times the calls, not sixteen or sixty-four."""
    def calls(times):
        profile = cProfile.Profile()
        profile.runcall(frames, f"P: {text * times}")
        return sum(entry.callcount for entry in profile.getstats())

    calls(1)
    assert calls(100) / calls(25) < 6
