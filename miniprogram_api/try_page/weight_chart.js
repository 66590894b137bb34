// A pet's weights as a small line chart, drawn as SVG nodes; with fewer than two weighings there is none.

import { call } from "/try/service.js";

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 280;
const HEIGHT = 96;
const EDGE = 12; // around the line
const LABELS = 16; // of height, for the days below
const KG = { kg: 1, g: 0.001, jin: 0.5 };
const SHOWN = 60; // weighings, the newest

/** The chart of a pet, or null. */
export async function weightChart(pet) {
  const { items } = await call("GET", `/v1/pets/${pet.id}/weights?limit=${SHOWN}`);
  const series = items
    .filter(({ status, measured_at: at }) => status === "active" && at)
    .map(({ value, unit, measured_at: at }) => ({ kg: value * KG[unit], at: new Date(at) }))
    .sort((one, other) => one.at - other.at);
  return series.length > 1 ? draw(pet.name, series) : null;
}

function draw(name, series) {
  const [first, last] = [series[0], series[series.length - 1]];
  const weights = series.map(({ kg }) => kg);
  const [low, high] = [Math.min(...weights), Math.max(...weights)];
  const x = ({ at }) => EDGE + ((WIDTH - 2 * EDGE) * (at - first.at)) / (last.at - first.at || 1);
  const y = ({ kg }) => EDGE + (HEIGHT - 2 * EDGE - LABELS) * (high > low ? (high - kg) / (high - low) : 0.5);
  const said = `${name}的体重：${day(first.at)} ${text(first.kg)}，${day(last.at)} ${text(last.kg)}`;
  const chart = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "weights", role: "img", "aria-label": said });
  chart.append(
    node("title", {}, said),
    node("polyline", { points: series.map((one) => `${x(one).toFixed(1)},${y(one).toFixed(1)}`).join(" ") }),
    ...series.map((one) => dot(one, x(one), y(one))),
    node("text", { x: EDGE, y: HEIGHT - 3 }, `${day(first.at)} ${text(first.kg)}`),
    node("text", { x: WIDTH - EDGE, y: HEIGHT - 3, "text-anchor": "end" }, `${day(last.at)} ${text(last.kg)}`),
  );
  return chart;
}

function dot(one, x, y) {
  const circle = node("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3 });
  circle.append(node("title", {}, `${day(one.at)} ${text(one.kg)}`));
  return circle;
}

const day = (at) => `${at.getMonth() + 1}月${at.getDate()}日`;
const text = (kg) => `${Number(kg.toFixed(2))}kg`;

function node(tag, properties, content) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  if (content) made.textContent = content;
  return made;
}
