"""How owners word what became of a habit: changed for good, true only at times, still so.

Extractors point such a sentence at the known line; the comparison of two lines of one habit reads it once more.
"""

import re

CHANGED = re.compile(
    r"(?:换|改|挪|调)(?:成|到|为|回|用|吃|喝|喂|去|了|期)|(?:减|加|增|缩|降|升|延|变)(?:成|到|为|至)|[全都](?:换|改)|搬(?:到|去|进|回)|改约|约到|改在|想好了|决定了|改(?=周|星期|礼拜|每)|改(?=[玩遛去喂喝睡吃打洗在走跑上早晚])|换(?!季|牙|毛|水(?!晶|解|煮)|气|药)[^,，。]{1,9}了|推(?:迟|到|后)|延后|延期|改期|顺延|延到|提前(?:到|了|一|两|至)|取消|定了|(?:现在|如今|这阵子|最近)(?:都|就|改|只|老|天天)*睡(?:在|到)?(?!得|着|觉|眠|不|了)|以后|往后|今后|从[^,。]{1,4}起(?!来|床)|从.{1,6}开始(?!.{0,2}前)"
)
TENDENCY = re.compile(r"会(?!诊)|总|老是|每次|一[^,。]{1,4}就|容易|经常|不爱|不喜欢|怕")
"""A sign that belongs to an animal's ways: 坐车会吐, 不爱喝水."""
ENDED = re.compile(r"(?:完全|彻底|再也|现在|已经)[^,。]{0,6}(?:不|没)[^,。]{1,4}|(?:爱|肯|愿意|喜欢)[^,。不没]{1,6}了")
CHANGED_DOSE = re.compile(r"(?<!没)(?<!不)(?<!别)(?:改|换|减|加|调|降|增)(?:成|到|为|至|了|量)")
"""Of a drug: it is given in another way, even where the new way is not understood."""
NO_LONGER_WISHED = re.compile(
    r"(?:不用|别|不必|不需要)(?:再)?(?:讲|说|写|解释|提|列|带|加|分析)|(?:不用|不要|别|不必|不需要).{0,8}了|(?:别|不要)再|以后(?:别|不)|可以.{1,8}了$"
)
"""Of a wish of the owner's: it is taken back."""
AT_TIMES = re.compile(
    r"周末|(?<![一每两])周[一二三四五六日](?![次回遍顿趟])|大热天|三伏|天一[热冷]|夏季|冬季|出差|那几天|那两天|放假|过年|国庆|春节|夏天|冬天|春天|秋天|(?<!喜欢|讨厌|害怕)(?<![怕爱])下雨天|这次|这回|偶尔|有时|除了|除外|例外|不算|平时|临时|暂时|凑合|顶(?:一下|几天|两天)|应急|掉毛季|换季|停(?:了)?[一两](?:顿|天|次|餐)"
)
STILL_SO = re.compile(
    r"还是|依然|仍然|照旧|照样|一直|又开始|恢复|又(?:可以|能|回到)|又[^,。]{1,3}回|继续|同号|没变|就行$|就好$|就可以$|老样子|老时间|照这个"
)
SURPRISING = re.compile(r"居然|竟然|难得|头一回|第一次|破天荒|反常")
"""Once against the habit; what it was before goes without saying."""
CANNOT_KEEP = re.compile(
    r"去不了|不去了|来不及|没法去|赶不上|(?:不知道|不确定|不一定).{0,4}(?:能不能|去不去|赶|能|有空|有没有)|去不成|没空|来不来得及|赶不赶得上|去不去得(?:成|了)|(?:去|到|赶)[^,。]{0,4}(?:够呛|悬|不好说)|(?:八成|可能|估计|怕是|搞不好)[^,。]{0,4}(?:加班|出差|开会|值班|上班)|抽(?:不出|不开)|不一定[^,。]{0,3}(?:抽|来得|走得)|[走脱]不开"
)
"""An appointment that will not be kept."""
