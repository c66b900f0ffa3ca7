"""Talks of one exchange in the Mandarin of the regions and of the net, and what must not be read as a regional word."""
from __future__ import annotations

import pytest
from spoken import SHORT, asserted, state

from evidial_rules.pipeline.language import language

TALKS = [
    # 东北
    ("HAMD-17", "sleep", "POS", "这礼拜觉怎么样？", "搁炕上烙饼呗，瞪眼瞅房笆，鸡打鸣了才迷糊一会儿。"),
    ("HAMD-17", "sleep", "NEG", "躺下睡不着、半夜醒、醒太早，有没有？",
     "一样没有，脑袋沾枕头就着，一宿到天亮，嘎嘎好。"),
    ("HAMD-17", "depressed_mood", "POS", "心里咋样？", "心里老憋屈了，动不动就掉金豆儿。"),
    ("HAMD-17", "depressed_mood", "PART", "心里难受不？", "嗯……备不住有点儿难受吧，说不好。"),
    ("HAMD-17", "fatigue", "POS", "身上咋样？", "一点劲儿没有，迈个门槛都费老鼻子劲了。"),
    ("HAMD-17", "fatigue", "PART", "乏不乏？", "不咋乏。"),
    ("HAMD-17", "appetite_weight", "POS", "饭量呢？", "不爱吃，端起碗就顶得慌，一天造不了半碗饭。"),
    ("HAMD-17", "appetite_weight", "ABS", "饭量呢？", "头年冬天那阵子啥也吃不下。"),
    ("HAMD-17", "psychomotor", "POS", "手脚咋样？", "磨磨唧唧的，穿条裤子得十来分钟，说话也慢半拍。"),
    ("HAMD-17", "psychomotor", "POS", "坐得住不？", "坐不住，跟屁股长钉子似的，来回划拉。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "心里有啥过意不去的？", "对不住我那口子，跟我遭了一辈子罪，都赖我。"),
    ("HAMD-17", "suicidal_ideation", "POS", "有没有不想活的心思？", "有，活够够的了，寻思一头扎江里拉倒。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有没有不想活、寻死的心思？", "哪能呢，压根儿没那心思，一样都没有。"),
    ("HAMD-17", "anhedonia", "POS", "平时好干点啥？", "原先好扭秧歌，现在整不动那心气儿了，啥都不稀得整。"),
    ("PHQ-8", "concentration", "POS", "干活走心不？", "走不了心，干着干着就溜号了，缝扣子都缝岔眼儿。"),
    # 河南、山东
    ("HAMD-17", "sleep", "POS", "睡哩咋样？", "睡不着，翻过来调过去哩，恁说咋办。"),
    ("HAMD-17", "sleep", "NEG", "睡哩咋样？", "睡哩可得劲，一觉睡到大天明，啥事没有。"),
    ("HAMD-17", "sleep", "PART", "睡哩咋样？", "夜儿黑睡哩怪好。"),
    ("HAMD-17", "depressed_mood", "POS", "心里咋样？", "心里不是个味儿，成天想掉泪。"),
    ("HAMD-17", "depressed_mood", "NEG", "心里难受不？有没有觉得没盼头？", "不难受，也有盼头，好着嘞。"),
    ("HAMD-17", "fatigue", "POS", "身上有劲没？", "没一点劲，使哩慌，走两步就得坐那儿歇歇。"),
    ("HAMD-17", "appetite_weight", "POS", "吃饭咋样？", "不想吃饭，见了馍就够，喝碗汤就中了。"),
    ("HAMD-17", "appetite_weight", "NEG", "吃饭体重有变化没？", "没变化，该吃吃该喝喝，秤上还是那个数。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "有啥觉得亏心的？", "觉得亏欠俺娘，没伺候好她，一想起来心里就愧。"),
    ("HAMD-17", "suicidal_ideation", "POS", "有没有不想活的想法？", "想过，想一头栽井里算了。"),
    ("HAMD-17", "psychomotor", "POS", "坐得住不？", "坐不住，院里来回溜达，一会儿也停不下。"),
    ("HAMD-17", "anhedonia", "POS", "还听戏不？", "不听了，没那个兴致，啥也不想弄。"),
    ("HAMD-17", "anhedonia", "ABS", "家里人还好？", "俺当家的现在啥都没兴趣，棋也不下了。"),
    ("PHQ-8", "concentration", "POS", "看书看得进去不？", "看不进去，看一行忘一行，脑子跟浆糊样。"),
    # 陕西
    ("HAMD-17", "sleep", "POS", "晚上睡得咋样？", "睡不着么，一黑醒七八回，睁着眼窝到天明。"),
    ("HAMD-17", "sleep", "NEG", "睡觉咋样？", "睡得美得很，一觉到天明，啥麻达都没有。"),
    ("HAMD-17", "sleep", "PART", "睡觉咋样？", "昨黑睡得美。"),
    ("HAMD-17", "depressed_mood", "POS", "心里咋样？", "心里泼烦得很，恓惶，想哭。"),
    ("HAMD-17", "depressed_mood", "ABS", "屋里人都好？", "俺婆心里难过，天天淌眼泪哩"),
    ("HAMD-17", "fatigue", "POS", "身上咋样？", "没劲么，乏得跟死狗一样，锨都提不起。"),
    ("HAMD-17", "appetite_weight", "POS", "饭量咋样？", "不想吃，一老碗面吃两口就撂下咧。"),
    ("HAMD-17", "appetite_weight", "NEG", "饭量、体重有变没？", "没变么，一顿一老碗，斤两也没掉。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "有没有怪自己？", "怪我么，是我把娃耽搁咧，心里愧得很。"),
    ("HAMD-17", "suicidal_ideation", "POS", "有没有不想活的念头？", "有么，不想活咧，活着没意思么。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有没有不想活、自杀的念头？", "没有么，从来没有往那上头想过。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有没有不想活、自杀的念头？", "莫有，这两样都莫有。"),
    ("HAMD-17", "psychomotor", "POS", "手脚慢了没？", "慢咧，走个路慢腾腾的，说话也慢。"),
    ("HAMD-17", "anhedonia", "POS", "还听秦腔不？", "不听咧，没心劲咧，啥都不想弄。"),
    # 四川
    ("HAMD-17", "sleep", "POS", "瞌睡好不好？", "孬得很，躺起翻来覆去睡不着，眼睛鼓起鼓起的到天亮。"),
    ("HAMD-17", "sleep", "NEG", "瞌睡好不好嘛？", "巴适得很，倒下去就扯噗鼾，一觉睡到大天亮，没得啥子毛病。"),
    ("HAMD-17", "sleep", "PART", "瞌睡咋个样？", "昨晚黑睡得巴适。"),
    ("HAMD-17", "depressed_mood", "POS", "心头咋个样？", "心头焦眉烂眼的，想起就哭，日子没得盼头。"),
    ("HAMD-17", "depressed_mood", "NEG", "心头难不难过？有没有绝望？", "不难过，也没有绝望，安逸得很。"),
    ("HAMD-17", "fatigue", "POS", "身上有没得劲？", "没得劲，软趴趴的，上个坡都要歇几道气。"),
    ("HAMD-17", "fatigue", "NEG", "有没有力气？累不累？", "有力气得很，一点都不累。"),
    ("HAMD-17", "appetite_weight", "POS", "吃得下饭不？", "吃不下，饭菜端起都不想动筷子，瘦了一大圈。"),
    ("HAMD-17", "appetite_weight", "PART", "胃口咋个样？", "胃口将就。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "有没得觉得对不起哪个？",
     "对不起我老汉儿，他走的时候我没在身边，我一直怪自己。"),
    ("HAMD-17", "suicidal_ideation", "POS", "有没得想死的念头？", "有时候想嘛，一哈子跳下去就了了。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有没得不想活、想自杀的念头？", "莫得莫得，哪个会想那些嘛，一样都莫得。"),
    ("HAMD-17", "psychomotor", "POS", "坐得住不嘛？", "坐不住，在屋头走过去走过来，手一直搓起。"),
    ("HAMD-17", "anhedonia", "POS", "麻将还打不？", "不打了，没得心情，喊我打都懒得去。"),
    ("PHQ-8", "concentration", "POS", "做事专心不？", "专心不到，做到做到就走神了，颠三倒四的。"),
    # 湖北、湖南
    ("HAMD-17", "sleep", "POS", "瞌睡么样？", "睡不着，搞到转钟三点还睁着眼睛。"),
    ("HAMD-17", "sleep", "NEG", "瞌睡么样？", "蛮好，一上床就睡着，一觉到天亮。"),
    ("HAMD-17", "depressed_mood", "POS", "心里么样？", "心里不舒服，蛮难过，总想哭。"),
    ("HAMD-17", "fatigue", "POS", "身上么样？", "冇得劲，爬三楼都爬不动。"),
    ("HAMD-17", "appetite_weight", "POS", "吃饭么样？", "吃不进，吃两口就不想吃了，瘦了七八斤。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "觉得自己么样？", "冇得用，拖累屋里人，想到就过意不去。"),
    ("HAMD-17", "suicidal_ideation", "POS", "有冇想过不想活？", "想过，想从长江大桥跳下去算了。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有冇不想活、自杀的想法？", "冇得冇得，两个都冇得。"),
    ("HAMD-17", "anhedonia", "POS", "还打牌不？", "不打哒，冇得味，么子都不想搞。"),
    ("HAMD-17", "psychomotor", "POS", "坐得住啵？", "坐不住，在屋里转圈圈。"),
    ("PHQ-8", "concentration", "POS", "做事专心啵？", "专心不了，讲下讲下就忘记讲到哪里了。"),
    # 上海、江淮
    ("HAMD-17", "sleep", "POS", "夜里睏得好伐？", "睏勿好，翻来翻去，到天亮才睏着一歇歇。"),
    ("HAMD-17", "sleep", "NEG", "夜里睏得好伐？", "好个，一觉睏到大天亮。"),
    ("HAMD-17", "depressed_mood", "POS", "心情好伐？", "勿好，心里老难过个，眼泪水嗒嗒滴。"),
    ("HAMD-17", "fatigue", "POS", "有力气伐？", "呒没力气，走两步就吃力煞了。"),
    ("HAMD-17", "appetite_weight", "POS", "胃口好伐？", "勿好，吃勿落，一碗饭扒两口就勿想吃了。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有没有不想活、自杀的念头？", "呒没个，两样侪呒没。"),
    ("HAMD-17", "anhedonia", "POS", "还去跳舞伐？", "勿去了，没劲，啥也勿想做。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "会怪自己伐？", "怪自家，对勿起阿拉囡儿。"),
    ("HAMD-17", "psychomotor", "POS", "坐得定伐？", "坐勿定，房间里走来走去。"),
    # 闽南、台湾
    ("HAMD-17", "sleep", "POS", "睡得好吗？", "不好啦，躺很久都睡不去，三点多就醒了。"),
    ("HAMD-17", "sleep", "NEG", "睡得怎么样？", "很好睡啦，一觉到天亮。"),
    ("HAMD-17", "depressed_mood", "POS", "心情呢？", "很闷啦，没来由就想哭。"),
    ("HAMD-17", "fatigue", "POS", "有力气吗？", "没什么力啦，做一下就喘。"),
    ("HAMD-17", "appetite_weight", "POS", "吃得下吗？", "吃不下啦，看到饭就饱了。"),
    ("HAMD-17", "appetite_weight", "NEG", "胃口和体重有没有变？", "没有变啦，都一样。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "会不会怪自己？", "会啊，觉得自己很没用，拖累囝仔。"),
    ("HAMD-17", "suicidal_ideation", "POS", "会不会不想活？", "有时会想说，走了算了。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有没有不想活或是自杀的念头？", "没有啦，这种想法都没有。"),
    ("HAMD-17", "anhedonia", "POS", "还去唱歌吗？", "没去了啦，没那个心情，提不起劲。"),
    ("PHQ-8", "concentration", "POS", "能专心吗？", "没办法耶，一直恍神，讲到哪都忘了。"),
    ("PHQ-8", "psychomotor", "POS", "坐得住吗？", "坐不住啦，一直走来走去。"),
    # 广东
    ("HAMD-17", "sleep", "POS", "瞓得好唔好？", "唔好，成晚眼光光，瞓唔着。"),
    ("HAMD-17", "sleep", "NEG", "瞓得好唔好？", "好好，一觉瞓到天光。"),
    ("HAMD-17", "depressed_mood", "POS", "心情点样？", "好唔开心，成日喊。"),
    ("HAMD-17", "fatigue", "POS", "有冇力？", "冇力，行两步就攰。"),
    ("HAMD-17", "appetite_weight", "POS", "食得落饭吗？", "食唔落，冇胃口。"),
    ("HAMD-17", "guilt_worthlessness", "POS", "会唔会怪自己？", "会，觉得自己好冇用，连累屋企人。"),
    ("HAMD-17", "suicidal_ideation", "POS", "有冇谂过死？", "有谂过，死咗算数。"),
    ("HAMD-17", "suicidal_ideation", "NEG", "有冇谂过唔想做人，或者自杀？", "冇，两样都冇。"),
    ("HAMD-17", "anhedonia", "POS", "仲饮茶吗？", "冇饮喇，乜都冇兴趣。"),
    ("PHQ-8", "concentration", "POS", "集中到精神吗？", "集中唔到，睇两行就走神。"),
    ("PHQ-8", "psychomotor", "POS", "坐唔坐得定？", "坐唔定，行来行去。"),
    # 网上
    ("HAMD-17", "sleep", "POS", "睡眠咋样", "阴间作息 五点才睡着 天天顶着黑眼圈"),
    ("PHQ-8", "depressed_mood", "POS", "心情咋样", "丧到谷底 天天网抑云 半夜偷偷哭"),
    ("PHQ-8", "fatigue", "POS", "精力呢", "直接躺平 血条见底 起床都费劲"),
    ("PHQ-8", "fatigue", "NEG", "精力呢 会累吗", "精力拉满 完全不累 hhh"),
    ("PHQ-8", "appetite_weight", "POS", "吃饭呢", "完全没食欲 一天啃半个面包"),
    ("PHQ-8", "appetite_weight", "POS", "吃饭呢", "疯狂炫饭 根本停不下来"),
    ("PHQ-8", "guilt_worthlessness", "POS", "怎么看自己", "纯纯废物 活着浪费空气"),
    ("PHQ-8", "anhedonia", "POS", "平时玩啥", "以前天天开黑 现在游戏都卸了 没意思"),
    ("PHQ-8", "concentration", "POS", "专注吗", "学不进去一点 五分钟摸三次手机 脑子放空"),
    ("PHQ-8", "psychomotor", "POS", "坐得住吗", "坐不住 腿抖个不停 一直来回踱步"),
    ("BDI-II", "suicidal_ideation", "POS", "有过不想活的念头吗", "有 经常想毁灭吧赶紧的 不想活了"),
    ("BDI-II", "suicidal_ideation", "NEG", "有过不想活或自杀的念头吗", "那没有 这俩都没有 惜命得很"),
    ("HAMD-17", "sleep", "NEG", "睡得怎么样？", "很好睡啦，没问题。"),
    ("HAMD-17", "sleep", "POS", "睡得怎么样？", "最近不太好睡。"),
    ("BDI-II", "suicidal_ideation", "POS", "有没有过这类念头？", "不想做人了。"),
    ("BDI-II", "anhedonia", "POS", "平时玩啥", "手游全卸了 都退坑了"),
]


@pytest.mark.parametrize("instrument, dimension, expected, question, answer", TALKS)
def test_one_exchange(instrument, dimension, expected, question, answer):
    assert state(dimension, f"I: {question}", f"P: {answer}", instrument=instrument) == SHORT[expected]


@pytest.mark.parametrize("back", [
    "大夫，{}那话不作数啊，俺瞎咧咧哩。", "俺刚才说{}，那是逗恁哩，别当真。", "刚才{}那些是我冲壳子的，莫记。",
    "前头我说{}，那是摆起耍的，莫当真哈。", "{}那个记岔哒，作不得数咯。", "头先{}嗰句我讲错咗，当我冇讲过。",
    "{}嗰个唔系我，系我老公。", "刚刚说{}的部分是我乱讲的啦，不要记。", "{}那句瞎讲讲的，侬覅当真。",
    "{}那话说瞎咧，你把它划了。",
    "{}那条撤回，口嗨的。", "{}说的是我对床，我打串了。", "{}那是俺嫂子，俺说串了。", "{}那句搞拐了，不算。"])
def test_what_is_taken_back(back):
    talk = ("I: 夜里睡觉咋样？", "P: 俺一宿一宿睡不着。", "I: 还有啥要说的没？", "P: " + back.format("睡不着"))
    assert state("sleep", *talk) == "ABSENT"


@pytest.mark.parametrize("talk", [
    "跟老街坊冲壳子、摆龙门阵。", "前几年还在城墙根底下跟人谝闲传。", "剪视频，这波整活有点东西。",
    "我在群里口嗨了一句，吵翻了。", "爱跟老友吹水。"])
def test_a_pastime_takes_nothing_back(talk):
    assert state("sleep", "I: 睡得咋样？", "P: 睡不着。", "I: 平时爱做什么？", f"P: {talk}") == "SUFFICIENT_POS"


@pytest.mark.parametrize("time, expected", [
    ("往年子", "ABSENT"), ("旧年", "ABSENT"), ("细个时候", "ABSENT"), ("前一向", "ABSENT"), ("年轻辰光", "ABSENT"),
    ("这一向", "SUFFICIENT_POS"), ("这程子", "SUFFICIENT_POS"), ("夜儿个", "SUFFICIENT_POS"), ("昨黑",
    "SUFFICIENT_POS")])
def test_when(time, expected):
    assert state("sleep", "I: 睡得咋样？", f"P: {time}睡不着。") == expected


@pytest.mark.parametrize("person", ["俺娘", "阿嬷", "我老汉儿", "我屋里堂客", "孩儿他爸", "俺婆姨", "嗲嗲", "幺妹儿",
    "跟俺搭伙的老朱", "厝边"])
def test_whose(person):
    assert state("sleep", "I: 家里都好吧？", f"P: {person}睡不着。") == "ABSENT"


@pytest.mark.parametrize("text", [
    "中，听恁的，俺明儿个再来。", "莫医生讲我血压还要再量量。", "伊朗那边打仗，油价又涨了。",
    "关系我一直处得还可以。", "隔壁阿婆养了三只鸡，天天四点打鸣。",
    "成日本人游客，店里忙死。", "弥撒结束就去菜场。", "仲裁那边下个礼拜开庭。", "他这人啰嗦，讲话颠三倒四。",
    "前面一台车慢得像乌龟。"])
def test_no_word_of_symptoms(text):
    assert not [f for f in asserted("I: 最近忙些啥？", f"P: {text}") if f.subject == "participant"]


@pytest.mark.parametrize("text, canonical", [
    ("不想活咧", "不想活了"), ("是咧。", "是。"), ("好得很噻！", "好得很！"), ("好着哩", "好着呢"), ("唔，还行",
    "，还行"), ("唔想食", "不想食"),
    ("咧嘴笑", "咧嘴笑"), ("步伐", "步伐"), ("有伐？", "有吗？"), ("累不？", "累吗？")])
def test_particles_and_negations(text, canonical):
    assert language("zh").read(text).text.strip("。") == canonical.strip("。")


@pytest.mark.parametrize("question, answer, expected", [
    ("有没有失眠？", "没有，我妈倒是天天失眠。", {"deny definite insomnia"}),
    ("坐得住不，有没得走来走去？", "没得。", {"deny definite agitation"}),
    ("走不走神？", "走。", {"affirm definite concentration"}), ("走不走神？", "不走神。",
    {"deny definite concentration"}),
    ("有力气没有？", "没有。", {"affirm definite energy"}), ("兴趣少了没？", "没少。", {"deny definite interest"}),
    ("睡得踏实不？", "咋能踏实呢。", {"affirm definite ALL"}),
])
def test_short_answers(question, answer, expected):
    found = [f for f in asserted(f"I: {question}", f"P: {answer}", instrument="PHQ-8") if f.subject == "participant"]
    assert {f"{f.polarity} {f.strength} {'+'.join(f.components)}" for f in found} == expected
