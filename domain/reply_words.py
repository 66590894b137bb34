"""The words an answer to a confirmation may be made of: yes, no and wait, the record, and the very thing asked.

A clause with any other word in it (a bowl, a parcel, another pet, a walk) speaks of something else, and what speaks of
something else never settles a question. The list is closed on purpose: a word missing here costs the owner one tap.
"""

import re
from collections.abc import Iterable

from memory.text_folding import fold_text

LONGEST_CLAUSE = 60  # characters; whoever writes more in one breath is telling something
_LONGEST_WORD = 8  # characters

_YES_AND_NO = (
    "对 是 嗯 恩 好 行 可 可以 成 中 得 要 没错 确认 确定 确实 肯定 当然 同意 属实 正确 没问题 准确 无误 "
    "千真万确 没毛病 保证 ok okay yes yep accept no nope 真 真的 不 别 没 没有 否 错 甭 勿 拒绝 不用 不必 "
    "不需要 没这回事 不算数 误会 开玩笑 玩笑 当我没说 撤回 算了 写反 记反 弄反 听错 记错 看错 说错 搞错 弄错 "
    "打错 打反 记岔 记混 搞混 听岔 反了 没写错"
)
_WAIT = (
    "先 等 等等 等一下 再 看看 看 观察 想 想想 想好 考虑 试 试试 留意 瞧 商量 犹豫 缓 缓缓 急 着急 过 完 定 "
    "决定 确 不急 放 问 问问 咨询 核实 核对 查 复查 复诊 检查 检测 化验 结果 报告 清楚 把握 拿不准 说不准 "
    "说不好 吃不准 知道 晓得 一定 好像 应该 可能 也许 大概 估计 或许 似乎 感觉 没准 说不定 听说 差不多 "
    "宁可信其有 保险 稳妥 保险点 稳妥点 安全 安全点 保守 保守点 放心点 情况 一阵子 一阵 阵子 段时间"
)
_RECORD = (
    "改 换 动 更新 删 删掉 删除 去掉 变 更改 修改 调整 更正 取消 记 记录 记下 写 存 保持 保留 维持 照旧 恢复 "
    "原样 原来 原 旧 新 最新 现状 档案 资料 信息 内容 条 那条 这条 这个 那个 这样 这么 那样 如此 回事 "
    "那条记录 处理 对待 按 照 依 以 用 当 算 来 留 留着 提醒 成 为 到 过来 回 掉 上 下 一下 回去"
)
_SMALL_WORDS = (
    "的 了 吧 啊 呀 呢 嘛 哈 哈哈 哦 噢 喔 诶 哎 哎呀 唉 啦 哒 滴 着 地 嘞 咯 额 呃 那 这 就 就是 都 也 还 "
    "还是 又 才 已经 早 早就 一直 我 你 您 它 他 她 咱 我们 你们 来说 说 让 叫 给 帮 请 麻烦 直接 赶紧 快 把 "
    "由 从 有 在 会 能 去 其实 不过 但 但是 可是 只是 因为 所以 而且 和 跟 于 吗 么 什么 谁 现在 目前 之前 "
    "上次 以前 原先 当初 当时 那时 刚 刚才 刚刚 最后 后 后来 前 里 时候 起 开始 终于 全 完全 想起来 起来 "
    "说过 吩咐 上面 上头 手上 手里 拍 拍给 发 发给 暂时 需要 继续 仍 仍然 依旧 随便 老公 老婆 家里 家人 爸 "
    "妈 爸爸 妈妈 谢谢 辛苦 风险 问题"
)
_SOURCES = (
    "医生 大夫 兽医 医院 病历 病历本 单子 化验单 检查单 报告单 处方 方子 本子 疫苗本 确诊 诊断 查过 做 称 秤 "
    "体检 测 数据 过敏原 复测 重测 术 手术 在手 芯片 证 白纸黑字 写着 写的 病例 发票 复印件 上写 量过 称过 "
    "测过 主治"
)
_TIME = re.compile(
    r"[今昨前明后]天|[上下这本]个?(?:周|星期|礼拜|月)[一二三四五六日天末]?|[今去明前]年|[早晚]上|[上中下]午|凌晨|早|晚|刚|"
    r"(?:\d+|[一二两三四五六七八九十几半])个?(?:天|周|星期|礼拜|月|年|阵子?|段时间|会儿?)"
)

OF_ALLERGY = (
    "过敏 不过敏 脱敏 没过敏 不耐受 吃 喝 用 碰 喂 随便 正常 放心 敢 反应 没事 事 有事 任何 发作 检出 阴性 阳性 发现"
)
OF_REACTION = "肿 痒 吐 拉 红 抓 挠 起疹子 疹子 痘 喘 蚊子 虫子 跳蚤 咬 缘故 原因 多 吃多 撑"
OF_DRUG = (
    "停 停掉 不喂 不吃 加 减 减半 加倍 翻倍 倍 番 翻 砍 半 半量 一半 停药 停用 断 药 吃 用 打 喂 滴 剂量 加量 减量 "
    "量 一次 两次 三次 次 顿 回 各 一天 每天 早晚 每日 没停 疗程 结束 片 粒 ml 毫升 mg 毫克 小时"
)
OF_ILLNESS = "排除 误诊 好 好了 痊愈 治好 治 治愈 康复 病 没病 得过 患 缓解 犯 复发"
OF_FIGURE = (
    "公 母 公猫 母猫 公狗 母狗 男孩 女孩 妹妹 弟弟 性别 公斤 斤 kg 克 毫克 mg 号 日 月 年 多少 才 体重 重 量 绝育 做过"
)

_ALWAYS = frozenset(" ".join((_YES_AND_NO, _WAIT, _RECORD, _SMALL_WORDS, _SOURCES)).split())
_QUOTED = re.compile("「([^「」]{1,8})」")  # the values that the question itself sets against each other
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def made_of_own_words(clause: str, lines: Iterable[str], quotes: str, kind_words: str) -> bool:
    """Whether nothing in `clause` (folded) lies outside an answer's words.

    lines: what was asked, all of whose characters may be said; quotes: words it rests on, which may be repeated in
    pieces of two characters or more; kind_words: one of the OF_ lists, for the kind of fact.
    """
    text = "".join(clause.split())
    if len(text) > LONGEST_CLAUSE:
        return False
    asked = [*(fold_text(line) for line in lines), *_QUOTED.findall(fold_text(quotes))]
    words = _ALWAYS | set(kind_words.split())
    single = {letter for line in asked for letter in line if not letter.isdigit()}
    figures = {figure for line in asked for figure in _FIGURE.findall(line)}
    repeated = fold_text(quotes)
    reached = {0}
    for start in range(len(text)):
        if start in reached:
            reached |= _ends(text, start, words, single, figures, repeated)
    return len(text) in reached


def _ends(
    text: str, start: int, words: Iterable[str], single: Iterable[str], figures: Iterable[str], repeated: str
) -> set[int]:
    """Where a word that begins at `start` may end."""
    pieces = [text[start : start + length] for length in range(1, _LONGEST_WORD + 1)]
    ends = {
        start + len(piece)
        for piece in pieces
        if piece in words or piece in single or (len(piece) > 1 and not piece[0].isdigit() and piece in repeated)
    }
    if time := _TIME.match(text, start):
        ends.add(time.end())
    if (figure := _FIGURE.match(text, start)) and figure[0] in figures:
        ends.add(figure.end())
    return ends
