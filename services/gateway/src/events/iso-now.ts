/** The current time as ISO 8601 text, formatted once per millisecond: a fast stream has many events in one. */
function isoClock(): () => string {
  let written = Number.NaN;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== written) {
      written = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

export const isoNow = isoClock();
