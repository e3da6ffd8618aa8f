export { readTable, type TableReading } from "./read-table.ts";

/** Whether a file that the manifest names is a table, by its name. */
export function isTable(file: string): boolean {
  return file.toLowerCase().endsWith(".csv");
}
