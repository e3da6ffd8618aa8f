export const card = {
  name: "transfer",
  version: "0.1.0",
  description:
    "Makes transfers in a dialogue, in English and Korean: each one is confirmed as it was shown, and made once.",
} as const;
