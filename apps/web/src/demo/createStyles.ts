/** Creates a constructed style sheet, which a policy without 'unsafe-inline' allows. */
export function createStyles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

const css = `
:host {
  --ink: #15181d; --paper: #fbfaf7; --line: rgb(21 24 29 / 0.14); --soft: rgb(21 24 29 / 0.66); --wash: rgb(21 24 29 / 0.05);
  --jade: #0b7a63; --on-jade: #fff; --amber: #8a5a00;
  all: initial;
  color-scheme: light;
  font: 14px/1.5 "PingFang SC", "HarmonyOS Sans SC", "Noto Sans SC", "Microsoft YaHei", system-ui, sans-serif;
}
:host([data-scheme="dark"]) {
  --ink: #e9e6df; --paper: #1b1e22; --line: rgb(233 230 223 / 0.18); --soft: rgb(233 230 223 / 0.7); --wash: rgb(233 230 223 / 0.06);
  --jade: #45d0ae; --on-jade: #08251e; --amber: #f0b955;
  color-scheme: dark;
}
* { box-sizing: border-box; }
h2, p, dl, dd, fieldset, pre { margin: 0; padding: 0; border: 0; }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; min-height: 44px; }
:focus-visible { outline: 2px solid var(--jade); outline-offset: 2px; }
dialog {
  width: min(372px, calc(100vw - 24px)); max-height: min(640px, calc(100dvh - 24px)); padding: 0;
  border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--ink);
  box-shadow: 0 16px 48px rgb(0 0 0 / 0.32); overflow: auto; overscroll-behavior: contain;
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 0.28); }
.wallet { display: flex; align-items: center; gap: 10px; padding: 14px 16px; border-bottom: 1px solid var(--line); font-size: 13px; color: var(--soft); }
.wallet img { width: 24px; height: 24px; }
.body { display: grid; gap: 14px; padding: 16px; }
h2 { font-size: 18px; line-height: 1.35; font-weight: 600; }
.soft { color: var(--soft); font-size: 13px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 16px; align-items: baseline; }
dt { color: var(--soft); font-size: 13px; }
dd { overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
pre {
  max-height: 220px; overflow: auto; padding: 12px; border-radius: 8px; background: var(--wash);
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.warning { color: var(--amber); font-size: 13px; overflow-wrap: anywhere; }
fieldset { display: grid; gap: 2px; min-width: 0; }
legend { padding: 0 0 4px; font-size: 13px; color: var(--soft); }
label { display: flex; align-items: center; gap: 10px; min-height: 44px; padding: 0 8px; border-radius: 8px; cursor: pointer; }
label:hover { background: var(--wash); }
input { accent-color: var(--jade); width: 18px; height: 18px; margin: 0; flex: none; }
footer { position: sticky; bottom: 0; display: flex; gap: 10px; padding: 12px 16px 16px; background: var(--paper); }
footer button { flex: 1; border-radius: 10px; border: 1px solid var(--line); background: none; padding: 0 12px; }
footer button[data-main] { background: var(--jade); border-color: var(--jade); color: var(--on-jade); }
`
