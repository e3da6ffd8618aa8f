export const card = {
  name: "minimal",
  version: "0.1.0",
  description: "Books a table, in a dialogue.",
} as const;
