import { type Env, SettingError } from "@interlock/agent-kit";

/** Both switch recommendations off: the agent's own flag, and that of whoever runs several agents by one configuration. */
const FLAGS = ["SAVINGS_AGENT", "D1_OPTIMIZATION_AGENT"] as const;
const WORDS: Readonly<Record<string, boolean>> = { on: true, true: true, off: false, false: false };

/** @throws SettingError */
export function isEnabled(env: Env): boolean {
  return FLAGS.every((name) => {
    const word = env[name]?.trim().toLowerCase() || "on";
    const isOn = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (isOn === undefined) throw new SettingError(`${name} must be on or off (true or false).`);
    return isOn;
  });
}
