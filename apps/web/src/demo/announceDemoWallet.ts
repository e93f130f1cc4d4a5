import { closeOnBack } from '@lineage/wallet-kit'
import { announceWallet } from '@lineage/wallet-kit/testing'
import type { EIP1193Provider } from 'viem'
import { createDemoProvider, type DemoControls } from './createDemoProvider.ts'
import { type Answer, type Ask, button, element, questionContent, radioGroup, shorten } from './questionContent.ts'
import { demoChains } from './readRequest.ts'
import { demoWalletIcon, textsFor } from './texts.ts'

type AnnounceDemoWalletParameters = {
  /** Private keys of accounts without value. */
  privateKeys: readonly string[]
  /** JSON-RPC endpoint of the demo chain. */
  rpcUrl: string
  /** Default: the page's language when the wallet asks. */
  locale?: string
}

export type DemoWallet = {
  /** Opens the wallet's panel, to change account and network. */
  openPanel(): void
  /** Removes the wallet. Pages that hold its provider keep it. */
  stop(): void
}

/**
 * Announces a wallet that holds the demo's keys and asks in its own window, like an extension.
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 */
export function announceDemoWallet({ privateKeys, rpcUrl, locale }: AnnounceDemoWalletParameters): DemoWallet {
  const currentLocale = () => locale ?? document.documentElement.lang
  const window = createDemoWindow({ locale: currentLocale })
  const { provider, controls } = createDemoProvider({ privateKeys, rpcUrl, ask: window.ask })

  const withdraw = announceWallet({
    info: { name: textsFor(currentLocale()).name, icon: demoWalletIcon, rdns: 'app.lineage.demo' },
    provider: provider as unknown as EIP1193Provider,
  })
  return {
    openPanel: () => window.openPanel(controls),
    stop() {
      withdraw()
      window.destroy()
    },
  }
}

export type DemoWindow = {
  ask: Ask
  /** Opens the panel to change account and network, unless it is open. */
  openPanel(controls: DemoControls): void
  destroy(): void
}

/** Opens a dialog with these elements. Resolves with the argument of `close`, or with `otherwise`. */
type Show = <value>(title: string, build: (close: (value: value) => void) => Node[], otherwise: value) => Promise<value>

/**
 * Creates the demo wallet's window. A modal `<dialog>` is in the top layer and makes the page inert, so it works above
 * any dialog of the page, even one that traps the focus.
 */
export function createDemoWindow({ locale }: { locale: () => string }): DemoWindow {
  const { host, root } = createHost()
  const stopColorSchemeSync = syncColorScheme(host)
  const destroyed = new AbortController()

  const show: Show = (title, build, otherwise) =>
    new Promise((resolve) => {
      let result = otherwise
      const dialog = createDialog(title, locale(), (dialog) =>
        build((value) => {
          result = value
          dialog.close()
        }),
      )
      // Also fired by Escape.
      dialog.addEventListener('close', () => {
        leave()
        dialog.remove()
        resolve(result)
      })
      destroyed.signal.addEventListener('abort', () => dialog.close(), { once: true })
      root.append(dialog)
      dialog.showModal()
      const leave = closeOnBack(() => dialog.close())
    })

  return {
    async ask(question) {
      if (destroyed.signal.aborted) return { kind: 'rejected' }
      const texts = textsFor(locale())
      const { title, approve, content, chosen } = questionContent(question, texts)
      const build = (close: (answer: Answer) => void) => [
        ...content,
        element('footer', {}, [
          button(texts.reject, () => close({ kind: 'rejected' })),
          button(approve, () => close({ kind: 'approved', ...chosen?.() }), { 'data-main': '' }),
        ]),
      ]
      return show<Answer>(title, build, { kind: 'rejected' })
    },
    openPanel(controls) {
      if (!destroyed.signal.aborted && !root.querySelector('dialog')) void showPanel(show, controls, locale())
    },
    destroy() {
      destroyed.abort()
      stopColorSchemeSync()
      host.remove()
    },
  }
}

function createHost(): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement('lineage-demo-wallet')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createStyles()]
  // Hide the wallet's events from the page's "click outside" and shortcut handlers.
  for (const event of ['keydown', 'keyup', 'click', 'pointerdown', 'mousedown', 'touchstart', 'focusin'])
    host.addEventListener(event, (domEvent) => domEvent.stopPropagation())
  // Not in the body: open dialogs set aria-hidden on the body's other children.
  document.documentElement.append(host)
  return { host, root }
}

function createDialog(title: string, lang: string, build: (dialog: HTMLDialogElement) => Node[]): HTMLDialogElement {
  const dialog = element('dialog', { lang, 'aria-labelledby': 'title' })
  const icon = element('img', { src: demoWalletIcon, alt: '' })
  dialog.append(
    element('div', { class: 'wallet' }, [icon, textsFor(lang).name]),
    element('div', { class: 'body' }, [element('h2', { id: 'title' }, [title]), ...build(dialog)]),
  )
  const footer = dialog.querySelector('footer')
  if (footer) dialog.append(footer)
  return dialog
}

/** Shows the panel to change account and network; changes apply at once. */
function showPanel(show: Show, controls: DemoControls, lang: string): Promise<void> {
  const { account, chainId, permission } = controls.getState()
  const texts = textsFor(lang)
  const isConnected = permission === 'granted'
  const accounts = controls.accounts.map((value) => ({ value, text: shorten(value), title: value }))
  const chains = demoChains.map(({ id, name }) => ({ value: id, text: name, title: `${id}` }))
  const build = (close: (value: undefined) => void) => {
    const disconnect = button(texts.disconnect, () => {
      controls.disconnect()
      close(undefined)
    })
    return [
      radioGroup(texts.account, accounts, account, controls.selectAccount),
      radioGroup(texts.network, chains, chainId, controls.selectChain),
      element('p', { class: 'soft' }, [texts.notice]),
      element('footer', {}, [
        ...(isConnected ? [disconnect] : []),
        button(texts.close, () => close(undefined), { 'data-main': '' }),
      ]),
    ]
  }
  return show(isConnected ? texts.connected : texts.notConnected, build, undefined)
}

/** Follows the page's colour scheme, or else the system's. Returns a function that stops it. */
function syncColorScheme(host: HTMLElement): () => void {
  const attribute = 'data-mui-color-scheme'
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const page = document.documentElement.getAttribute(attribute)
    host.dataset.scheme = page ?? (system.matches ? 'dark' : 'light')
  }
  const observer = new MutationObserver(apply)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [attribute] })
  system.addEventListener('change', apply)
  apply()
  return () => {
    observer.disconnect()
    system.removeEventListener('change', apply)
  }
}

/** Creates a constructed style sheet, which a policy without 'unsafe-inline' allows. */
function createStyles(): CSSStyleSheet {
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
