// The Chinese of the API's codes, and dates as people write them.

import { session } from "/try/service.js";

export const TOPICS = {
  diet: "饮食",
  health: "健康症状",
  medical: "用药就医",
  prevention: "疫苗驱虫",
  growth: "体重生长",
  elimination: "排泄",
  behavior: "行为性格",
  lifestyle: "日常护理",
  owner: "主人",
};
export const OUTCOMES = {
  added: "已记住",
  merged: "和已有的合并",
  candidate: "先观察，档案没变",
  provisional: "已记下，待确认",
  superseded: "已更新",
  refused: "没有记",
};
export const REASONS = {
  deleted_by_owner: "这件事你删除过，不再自动记",
  over_turn_limit: "一条消息记得够多了，其余的稍后再整理",
  unknown_subject: "没认出说的是哪只宠物",
  implausible_value: "这个数值看起来不对",
  only_asked: "这是在提问，不当作事实",
  machine_words: "不是你亲口说的",
  rejected_lately: "你最近否定过这个说法",
  needs_owner: "要改动重要信息，先问你",
  doubtful_change: "听起来还不确定",
  older_news: "说的是更早以前的情况",
  unverified_vet: "还没有核实是哪位医生写的",
  new_tentative: "还不太确定",
};
export const LEVELS = { emergency: "请马上就医", urgent: "24 小时内就医", watch: "在家密切观察" };
export const SPECIES = { dog: "狗", cat: "猫", other: "其他" };
export const SEXES = { male: "公", female: "母", unknown: "" };
export const PET_STATUSES = { memorial: "纪念", lost: "走失", rehomed: "已送养", active: "" };
export const RECORD_KINDS = {
  allergies: "过敏",
  conditions: "病史",
  medications: "用药",
  vaccinations: "疫苗",
  dewormings: "驱虫",
  weights: "体重",
  visits: "就诊",
  observations: "观察",
  diets: "饮食",
};
export const PURPOSES = {
  long_term_memory: "长期记忆",
  model_provider: "使用外部模型",
  push: "接收提醒",
};
export const SOURCES = { chat: "聊天", owner: "你填写的", vet: "医生留言", import: "导入", system: "系统整理" };
export const PARTS = {
  owner_card: "主人名片",
  pet_card: "宠物卡",
  summary: "聊过的事",
  recalled: "想起的记忆",
  due: "到期提醒",
  question: "待确认",
};
const WHYS = {
  "owner's card": "主人名片里的内容，每轮都带上",
  "record in force": "健康档案里正在生效的记录，一定带上",
  core: "宠物卡里的内容，每轮都带上",
  "recent conversation": "最近的对话",
  "earlier conversation": "以前的对话",
  "conversation of that time": "正是问到的那段时间的对话",
  "last conversation": "问的是上一次对话",
  "due by the rules": "按规则快到期了",
  "open confirmation": "还在等你确认",
  "trimmed: over budget": "放不下，这一轮没带上",
};

export const POINTERS = {
  name: "叫了名字",
  "no pet": "还没有宠物",
  "which one": "在问是哪一只",
  "what memory says": "看记忆里谁最像",
  species: "种类",
  looks: "外貌",
  colour: "毛色",
  sex: "性别",
  row: "排行",
  described: "描述的习惯",
  age: "年龄",
  size: "体型",
};
export const ARMS = { today: "今天的习惯", keyword: "关键词", newest: "最新", dated: "按日期", dense: "语义", talks: "聊过的事" };
export const STATES = { late: "超时", unavailable: "不可用", resting: "暂停中" };
const SIGNALS = { relevance: "相关度", dense: "语义", keyword: "关键词", "in period": "在问的时间里", "falls today": "今天正好", "fits the question": "和问的事有关" };

/** Why a line stands in the prompt: one of the fixed reasons, or the scores that recalled it. */
export function whyInWords(why) {
  if (WHYS[why]) return WHYS[why];
  const told = why.split(", ").map((signal) => {
    const name = Object.keys(SIGNALS).find((one) => signal.startsWith(one));
    return name ? SIGNALS[name] + signal.slice(name.length) : signal;
  });
  return told.join("，");
}

/** 2026年3月1日 20:10, on the owner's wall; without the year when it is `now`'s. */
export function dayAndTime(iso, now = new Date()) {
  const format = (instant, options) =>
    new Intl.DateTimeFormat("zh-CN", { timeZone: session.timezone, ...options }).format(instant);
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return String(iso ?? "");
  const sameYear = format(at, { year: "numeric" }) === format(now, { year: "numeric" });
  const day = format(at, { ...(sameYear ? {} : { year: "numeric" }), month: "long", day: "numeric" });
  return `${day} ${format(at, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`;
}

/** 3岁2个月, from a birth date and today; "" when the date is unknown. */
export function age(bornOn, now) {
  if (!bornOn) return "";
  const [year, month, day] = bornOn.split("-").map(Number);
  const months = (now.getFullYear() - year) * 12 + now.getMonth() + 1 - month - (now.getDate() < day ? 1 : 0);
  if (months < 0) return "";
  const [years, rest] = [Math.floor(months / 12), months % 12];
  return `${years ? `${years}岁` : ""}${rest ? `${rest}个月` : ""}` || "不到1个月";
}
