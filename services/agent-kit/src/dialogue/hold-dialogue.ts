import { agentContract, type DialogueAnswer, type DialogueHistoryEntry } from "@interlock/contracts";

/** What an agent under test answers a turn with: its outputs, and the data of its progress events. */
export type Said = DialogueAnswer & {
  readonly state: Readonly<Record<string, unknown>>;
  readonly progress: readonly Readonly<Record<string, unknown>>[];
};

export type HeldDialogue = {
  /** Takes one turn, as the gateway does: with the state that the last turn ended with. Throws if the turn fails. */
  say(message: string): Promise<Said>;
  /** What the next turn begins with. Set it to begin elsewhere. */
  state: object | null;
};

type Event = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };

/** Whatever streams runs, such as the agent that `startAgent` returns. */
export type Streams = {
  stream(request: object): Promise<{
    readonly events: readonly Event[];
    readonly final: { readonly ok?: unknown; readonly outputs?: unknown; readonly error?: unknown };
  }>;
};

/** Holds a dialogue with a `…_TURN` task over HTTP, and checks every answer against the contract. */
export function holdDialogue(agent: Streams, taskType: string, locale = "en"): HeldDialogue {
  const history: DialogueHistoryEntry[] = [];
  const held: HeldDialogue = {
    state: null,
    async say(message) {
      const inputs = { state: held.state, message, history, locale };
      const { events, final } = await agent.stream({ task_type: taskType, mode: "LIVE", inputs });
      if (final.ok !== true) throw new Error(`the turn failed: ${JSON.stringify(final.error)}`);
      const checked = agentContract.dialogueAnswer(final.outputs);
      if (!checked.ok) throw new Error(`the answer breaks the contract: ${checked.problem.message}`);
      const answer = checked.value;
      held.state = answer.state;
      history.push({ role: "user", text: message }, { role: "assistant", text: answer.message });
      const progress = events.filter(({ event }) => event === "progress").map(({ data }) => data);
      return { ...answer, state: { ...answer.state }, progress };
    },
  };
  return held;
}
