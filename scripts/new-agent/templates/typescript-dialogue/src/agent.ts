import { type Agent, createAgent, dialogue } from "@interlock/agent-kit";
import { card } from "./card.ts";

type Booking = { people: number; time: string };

const MOST_PEOPLE = 20;

/** The agent of MINIMAL_TURN. It keeps nothing: the gateway hands it the state of each dialogue, and keeps what it answers. */
export function minimalAgent(): Agent {
  return createAgent({ card, tasks: { MINIMAL_TURN: booking() } });
}

/** Asks for what is missing, shows the booking, and makes it once the user has confirmed exactly that. */
function booking() {
  return dialogue<Booking>({
    description: "Books a table",
    slots: {
      people: {
        label: { en: "people", ko: "인원" },
        ask: { en: "For how many people?", ko: "몇 분이세요?" },
        find: (message) =>
          /(\d+)\s*(?:people|persons|guests|명|분|인)|\bfor (\d+)\b(?!:)/i.exec(message)?.[0],
        check(raw, { locale }) {
          const value = Number(/\d+/.exec(String(raw))?.[0]);
          if (value >= 1 && value <= MOST_PEOPLE) return { value };
          return {
            problem: {
              en: `We have tables for 1 to ${MOST_PEOPLE} people.`,
              ko: `1명부터 ${MOST_PEOPLE}명까지 예약할 수 있습니다.`,
            }[locale],
          };
        },
        show: (value, _slots, locale) => (locale === "ko" ? `${value}명` : String(value)),
      },
      time: {
        label: { en: "time", ko: "시간" },
        ask: { en: "At what time, such as 19:30?", ko: "몇 시로 할까요? (예: 19:30)" },
        find: (message) => /\b\d{1,2}:\d{2}\b/.exec(message)?.[0],
        check(raw, { locale }) {
          const [, hour = "", minute = ""] = /^\D*(\d{1,2}):(\d{2})\D*$/.exec(String(raw)) ?? [];
          if (hour !== "" && Number(hour) < 24 && Number(minute) < 60)
            return { value: `${hour.padStart(2, "0")}:${minute}` };
          return {
            problem: {
              en: "A time is written like 19:30.",
              ko: "시간은 19:30처럼 적어 주세요.",
            }[locale],
          };
        },
      },
    },
    /** Your system is called here. After a crash it may be called again with the same id: it must book once. */
    async execute({ slots }) {
      return { ok: true, effect: { kind: "booking", ...slots } };
    },
  });
}
