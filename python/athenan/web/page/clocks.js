// What is left on a clock, in words.

export const SHORT = 20; // seconds from which tenths are shown

// What is left as minutes and seconds; in byo-yomi, of this period, and how many periods are left.
export function clockWords(seconds, { byo_yomi: period, control }) {
  const periods = period ? Number(control.match(/\/(\d+)x/)?.[1] ?? 1) : 0;
  const main = seconds - periods * period;
  if (period && main <= 0) {
    const left = Math.max(1, Math.ceil(seconds / period));
    return `${minutes(seconds - (left - 1) * period)} × ${left}`;
  }
  return minutes(period ? main : seconds);
}

function minutes(seconds) {
  const rest = seconds < SHORT ? (seconds % 60).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}
