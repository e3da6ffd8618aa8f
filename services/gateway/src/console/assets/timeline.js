/** What a run's events say of time: for each step its attempts, and what it waited for. Knows nothing of pages. */

/** @typedef {{tone: "ok" | "bad" | "busy" | "warn" | "idle", from: number, to?: number, label: string}} Bar */
/** @typedef {{id: string, by: string, bars: Bar[], outcome: string}} Lane */
/** @typedef {{lanes: Lane[], begun: number, seen: number, over: boolean, live: boolean}} Timeline */

/**
 * @param {readonly any[]} events of the dialect `run`, from the first on
 * @param {number} now milliseconds; bars that are not over reach to here
 * @returns {Timeline}
 */
export function timelineOf(events, now) {
  /** @type {Map<string, Lane>} */
  const lanes = new Map();
  /** @param {string} id @param {string} [by] */
  const laneOf = (id, by) => {
    const lane = lanes.get(id) ?? { id, by: by ?? "", bars: [], outcome: "" };
    if (by && !lane.by) lane.by = by;
    lanes.set(id, lane);
    return lane;
  };
  /** @param {Lane} lane @param {number} at @param {Bar["tone"]} tone */
  const close = (lane, at, tone) => {
    const bar = lane.bars.at(-1);
    if (bar && bar.to === undefined) Object.assign(bar, { to: at, tone });
  };
  const [first] = events;
  const begun = first ? Date.parse(first.at) : now;
  let over = false;
  let rests = false;
  let seen = begun;
  for (const { type, node, at: text, data = {} } of events) {
    const at = Date.parse(text);
    seen = Math.max(seen, at);
    if (type !== "approval_expiring") rests = false;
    switch (type) {
      case "plan":
        for (const step of data.steps ?? []) laneOf(step.id, step.agent ?? step.kind ?? "");
        break;
      case "step_started": {
        const lane = laneOf(node, data.agent);
        // Begun anew, after a retry or by another replica.
        close(lane, at, "bad");
        lane.bars.push({ tone: "busy", from: at, label: data.attempt > 1 ? `attempt ${data.attempt}` : "" });
        break;
      }
      case "step_repair": {
        const lane = laneOf(node);
        close(lane, at, "warn");
        lane.bars.push({ tone: "busy", from: at, label: `mend ${data.round}` });
        break;
      }
      case "step_finished": {
        const lane = laneOf(node, data.agent);
        if (lane.bars.length === 0)
          lane.bars.push({ tone: "ok", from: at - (data.duration_ms ?? 0), label: "" });
        close(lane, at, "ok");
        lane.outcome = "ok";
        break;
      }
      case "step_failed": {
        const lane = laneOf(node, data.agent);
        if (lane.bars.length === 0) lane.bars.push({ tone: "bad", from: at, label: "" });
        close(lane, at, "bad");
        lane.outcome = data.code ?? "failed";
        break;
      }
      case "run_paused": {
        const lane = laneOf(node ?? "");
        lane.bars.push({ tone: "warn", from: at, label: "waits" });
        rests = true;
        break;
      }
      case "approval_decided": {
        const lane = laneOf(node ?? "");
        close(lane, at, "warn");
        lane.outcome = data.decision;
        break;
      }
      case "run_parked":
        rests = true;
        break;
      case "run_finished":
      case "run_failed":
      case "run_cancelled":
        over = true;
        for (const lane of lanes.values()) close(lane, at, type === "run_finished" ? "ok" : "bad");
        break;
      default:
    }
  }
  return {
    lanes: [...lanes.values()],
    begun,
    seen: over ? seen : Math.max(seen, now),
    over,
    live: !over && !rests,
  };
}
