// Taking a match away: its record as a file, in any format that can hold it.

import { element } from "./elements.js";

export function saver(match, offered) {
  const formats = Object.entries(offered.formats[match.game.split(":")[0]] ?? { ".jsonl": "JSON lines" });
  const select = element("select", {
    class: "button", "aria-label": "Save",
    onchange: () => {
      const href = `/api/matches/${match.id}/record?${new URLSearchParams({ format: select.value })}`;
      select.value = "";
      const link = element("a", { href, download: "" });
      document.body.append(link);
      link.click();
      link.remove();
    },
  }, element("option", { value: "" }, "Save …"), formats.map(([name, words]) => element("option", { value: name }, `${words} (${name})`)));
  return select;
}
