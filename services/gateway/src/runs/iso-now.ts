/** The time as ISO text, written once a millisecond: a stream at full speed has many events in one. */
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
