import { demoChains } from './chains.ts'
import type { DemoControls } from './createDemoProvider.ts'
import { createStyles } from './createStyles.ts'
import { button, element, radioGroup } from './elements.ts'
import { demoWalletIcon } from './icon.ts'
import { questionContent, shorten } from './questionContent.ts'
import type { Answer, Ask } from './questions.ts'
import { syncColorScheme } from './syncColorScheme.ts'
import { textsFor } from './texts.ts'

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
      // Also fired by Escape and the system's Back.
      dialog.addEventListener('close', () => {
        dialog.remove()
        resolve(result)
      })
      destroyed.signal.addEventListener('abort', () => dialog.close(), { once: true })
      root.append(dialog)
      dialog.showModal()
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
