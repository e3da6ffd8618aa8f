import type { DialogueAnswer } from "@interlock/contracts";
import type { Slots, Trouble } from "./apply.ts";
import { sha256 } from "./confirmation.ts";
import { type DialogueState, isOver, nextAction } from "./state.ts";
import { textsOf } from "./texts.ts";
import type { DialogueDefinition, Locale, SlotValues, View } from "./types.ts";

export type Definition = DialogueDefinition<SlotValues>;

/** The outcome of a turn, before it is worded. */
export type Told = {
  readonly state: DialogueState;
  /** Sentences before the one of the stage. */
  readonly before?: readonly string[];
  /** Asked instead of the question of the stage. */
  readonly trouble?: Trouble;
  /** Said instead of the words of the stage. */
  readonly instead?: string;
  readonly effects?: NonNullable<DialogueAnswer["effects"]>;
};

export function viewOf(definition: Definition, state: DialogueState): View<SlotValues> {
  const { locale, slots, queue, index, total, reason } = state;
  return {
    locale,
    slots,
    queue,
    index,
    total,
    shown: (slot) => shown(definition.slots, slot, slots, locale),
    summary: summaryOf(definition.slots, slots, locale),
    ...(reason === undefined ? {} : { reason }),
  };
}

function shown(all: Slots, name: string, slots: SlotValues, locale: Locale): string {
  const value = slots[name];
  if (value === undefined) return "";
  return all[name]?.show?.(value, slots, locale) ?? String(value);
}

export function summaryOf(all: Slots, slots: SlotValues, locale: Locale): string {
  return Object.entries(all)
    .map(([name, { label }]) => ({ label: label[locale], text: shown(all, name, slots, locale) }))
    .filter(({ text }) => text !== "")
    .map(({ label, text }) => `${label}: ${text}`)
    .join(", ");
}

/** The answer of a turn. The stage's words come from code, never from a model. */
export function answerOf(
  definition: Definition,
  { state, before = [], trouble, instead, effects = [] }: Told,
): DialogueAnswer {
  const { asked: _, said: __, ...rest } = state;
  const asked = state.stage === "FILLING" ? (trouble?.slot ?? state.missing[0] ?? state.asked) : undefined;
  const kept = asked === undefined ? rest : { ...rest, asked };
  const isConfirmation = state.stage === "READY" && instead === undefined;
  const text = instead ?? (asked === undefined ? undefined : trouble?.text) ?? stageText(definition, kept);
  const buttons = buttonsOf(definition, kept, trouble);
  const message = [...before, ...changesOf(definition, kept), text].filter((text) => text !== "").join(" ");
  return {
    state: {
      ...kept,
      ...(state.stage === "READY" ? { shown: state.slots } : {}),
      ...(isConfirmation ? { said: sha256(message) } : {}),
    },
    message,
    next_action: nextAction(kept),
    ui_hint: buttons.length > 0 ? { buttons: [...buttons] } : {},
    ...(effects.length > 0 ? { effects: [...effects] } : {}),
  };
}

/** What a confirmation shows in another way than the one before it. */
function changesOf(
  { slots: all }: Definition,
  { stage, shown: before, slots, locale }: DialogueState,
): string[] {
  if (stage !== "READY" || before === undefined) return [];
  const texts = textsOf(locale);
  return Object.entries(all).flatMap(([name, { label }]) => {
    const from = shown(all, name, before, locale);
    const to = shown(all, name, slots, locale);
    if (from === to) return [];
    if (from === "") return texts.added(label[locale], to);
    return to === "" ? texts.removed(label[locale], from) : texts.changed(label[locale], from, to);
  });
}

function stageText(definition: Definition, state: DialogueState): string {
  const texts = textsOf(state.locale);
  const view = viewOf(definition, state);
  const replies = definition.stages?.[state.locale];
  const place = state.total > 1 && state.stage === "READY" ? `${texts.place(state.index, state.total)} ` : "";
  switch (state.stage) {
    case "INIT":
    case "CONFIRMED":
    case "FILLING":
      return replies?.FILLING?.(view) ?? askFor(definition, state);
    case "READY":
      return place + (replies?.READY?.(view) ?? texts.ready(view.summary));
    case "EXECUTED":
      return withMore(definition, state, replies?.EXECUTED?.(view) ?? texts.executed(view.summary));
    case "FAILED":
      return withMore(definition, state, replies?.FAILED?.(view) ?? texts.failed(state.reason ?? ""));
    case "CANCELLED":
      return withMore(definition, state, replies?.CANCELLED?.(view) ?? texts.cancelled);
    case "UNSUPPORTED":
      return replies?.UNSUPPORTED?.(view) ?? texts.unsupported;
  }
}

function askFor(definition: Definition, state: DialogueState): string {
  const name = state.asked ?? state.missing[0] ?? "";
  return definition.slots[name]?.ask[state.locale] ?? "";
}

/** Asks whether to go on with the queue, after the message about the previous task. */
function withMore(definition: Definition, state: DialogueState, text: string): string {
  const [slots] = state.queue;
  if (slots === undefined) return text;
  const next = viewOf(definition, { ...state, slots });
  const summary = definition.stages?.[state.locale]?.NEXT?.(next) ?? next.summary;
  return `${text} ${textsOf(state.locale).more(state.queue.length, summary)}`;
}

function buttonsOf(definition: Definition, state: DialogueState, trouble?: Trouble): readonly string[] {
  const texts = textsOf(state.locale);
  if (state.stage === "FILLING") return trouble?.choices ?? [];
  if (state.stage === "READY") return definition.confirm?.buttons?.[state.locale] ?? texts.confirmButtons;
  return isOver(state) && state.queue.length > 0 ? texts.continueButtons : [];
}
