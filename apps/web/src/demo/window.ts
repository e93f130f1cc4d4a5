import { type Address, formatEther } from 'viem'
import { chainName, demoChains } from './chains.ts'
import { demoWalletIcon } from './icon.ts'
import type { DemoControls } from './provider.ts'
import type { Answer, Ask, Question } from './questions.ts'
import { createStyles } from './styles.ts'
import { type Texts, textsFor } from './texts.ts'

export type DemoWindow = {
  ask: Ask
  /** Shows account and network, for the wallet's owner to change; once at a time. */
  openPanel(controls: DemoControls): void
  destroy(): void
}

/** How many hexadecimal digits of a call's data are shown. */
const dataLength = 400

/**
 * The demo wallet's own window. A modal `<dialog>` stands in the top layer and makes the rest of the page inert, so it
 * works above any dialog of the page, whatever keeps the focus there.
 */
export function createDemoWindow({ locale }: { locale: () => string }): DemoWindow {
  const host = document.createElement('lineage-demo-wallet')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createStyles()]
  // What happens in a wallet's window is none of the page's business: no "clicked outside", no shortcut.
  for (const event of ['keydown', 'keyup', 'click', 'pointerdown', 'mousedown', 'touchstart', 'focusin']) {
    host.addEventListener(event, (domEvent) => domEvent.stopPropagation())
  }
  // Beside the body: dialogs hide the body's other children from screen readers while they are open.
  document.documentElement.append(host)
  const unfollowScheme = followScheme(host)
  const destroyed = new AbortController()

  function show<value>(title: string, build: (close: (value: value) => void) => Node[], otherwise: value) {
    return new Promise<value>((resolve) => {
      let result = otherwise
      const dialog = element('dialog', { lang: locale(), 'aria-labelledby': 'title' })
      const close = (value: value) => {
        result = value
        dialog.close()
      }
      dialog.append(
        element('div', { class: 'wallet' }, [
          element('img', { src: demoWalletIcon, alt: '' }),
          textsFor(locale()).name,
        ]),
        element('div', { class: 'body' }, [element('h2', { id: 'title' }, [title]), ...build(close)]),
      )
      const footer = dialog.querySelector('footer')
      if (footer) dialog.append(footer)
      // Also what Escape and the system's way back lead to.
      dialog.addEventListener('close', () => {
        dialog.remove()
        resolve(result)
      })
      destroyed.signal.addEventListener('abort', () => dialog.close(), { once: true })
      root.append(dialog)
      dialog.showModal()
    })
  }

  const ask: Ask = (question) => {
    if (destroyed.signal.aborted) return Promise.resolve({ kind: 'rejected' })
    const texts = textsFor(locale())
    const { title, approve, content, chosen } = describe(question, texts)
    const build = (close: (answer: Answer) => void) => [
      ...content,
      element('footer', {}, [
        button(texts.reject, () => close({ kind: 'rejected' })),
        button(approve, () => close({ kind: 'approved', ...chosen?.() }), { 'data-main': '' }),
      ]),
    ]
    return show<Answer>(title, build, { kind: 'rejected' })
  }

  return {
    ask,
    openPanel(controls) {
      if (!destroyed.signal.aborted && !root.querySelector('dialog')) void showPanel(controls)
    },
    destroy() {
      destroyed.abort()
      unfollowScheme()
      host.remove()
    },
  }

  /** Account and network as the owner wants them; every change counts at once, as in a wallet's own window. */
  function showPanel(controls: DemoControls): Promise<void> {
    const { account, chainId, permission } = controls.getState()
    const texts = textsFor(locale())
    const accounts = controls.accounts.map((value) => ({ value, text: shorten(value), title: value }))
    const chains = demoChains.map(({ id, name }) => ({ value: id, text: name, title: `${id}` }))
    return show<void>(
      permission === 'granted' ? texts.connected : texts.notConnected,
      (close) => [
        choice(texts.account, accounts, account, controls.selectAccount),
        choice(texts.network, chains, chainId, controls.selectChain),
        element('p', { class: 'soft' }, [texts.notice]),
        element('footer', {}, [
          ...(permission === 'granted'
            ? [
                button(texts.disconnect, () => {
                  controls.disconnect()
                  close()
                }),
              ]
            : []),
          button(texts.close, () => close(), { 'data-main': '' }),
        ]),
      ],
      undefined,
    )
  }
}

type Description = { title: string; approve: string; content: Node[]; chosen?: () => { account: Address } }

/** A question in words. */
function describe(question: Question, texts: Texts): Description {
  const site = [texts.site, location.host] as const
  switch (question.kind) {
    case 'connect': {
      let account = question.account
      const options = question.accounts.map((value) => ({ value, text: shorten(value), title: value }))
      const choose = (value: Address) => {
        account = value
      }
      return {
        title: texts.connect,
        approve: texts.approveConnect,
        content: [
          facts([site]),
          choice(texts.account, options, account, choose),
          element('p', { class: 'soft' }, [texts.connectText]),
          element('p', { class: 'soft' }, [texts.notice]),
        ],
        chosen: () => ({ account }),
      }
    }
    case 'signMessage':
      return {
        title: question.message.format === 'text' ? texts.signMessage : texts.signMessageBytes,
        approve: texts.approveSign,
        content: [facts([site, [texts.account, question.account]]), block(texts.message, question.message.text)],
      }
    case 'signTypedData':
      return {
        title: texts.signTypedData,
        approve: texts.approveSign,
        content: [
          facts([
            site,
            [texts.account, question.account],
            [texts.domain, question.domainName],
            [texts.type, question.primaryType],
          ]),
          block(texts.message, question.text),
        ],
      }
    case 'send': {
      const { account, chainId, to, value, data, call, maxFee, warning } = question
      const shown = data.length > dataLength ? `${data.slice(0, dataLength)}…` : data
      return {
        title: texts.send,
        approve: texts.approveSend,
        content: [
          facts([
            site,
            [texts.network, chainName(chainId)],
            [texts.from, account],
            [texts.to, to ?? texts.newContract],
            [texts.value, `${formatEther(value)} BNB`],
            [texts.call, call && `${call.name}(${call.arguments.join(', ')})`],
            [texts.fee, `${formatEther(maxFee)} BNB`],
          ]),
          ...(data !== '0x' && !call ? [block(texts.data, shown)] : []),
          ...(warning ? [element('p', { class: 'warning', role: 'alert' }, [`${texts.warning} ${warning}`])] : []),
        ],
      }
    }
    case 'switchChain':
      return {
        title: texts.switchChain,
        approve: texts.approveSwitch,
        content: [facts([site, [texts.network, `${chainName(question.from)} → ${chainName(question.to)}`]])],
      }
  }
}

function facts(rows: readonly (readonly [string, string | undefined])[]): HTMLElement {
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  return element(
    'dl',
    {},
    shown.flatMap(({ name, value }) => [element('dt', {}, [name]), element('dd', {}, [literal(value)])]),
  )
}

/** Addresses and calls in the type for addresses. */
function literal(text: string): HTMLElement | string {
  return /\b0x/.test(text) ? element('code', {}, [text]) : text
}

/** Scrollable, so it must be reachable by keyboard. */
function block(name: string, text: string): HTMLElement {
  return element('pre', { tabindex: '0', role: 'group', 'aria-label': name }, [text])
}

type Option<value> = { value: value; text: string; title: string }

function choice<value>(
  name: string,
  options: readonly Option<value>[],
  selected: value,
  choose: (value: value) => void,
) {
  return element('fieldset', {}, [
    element('legend', {}, [name]),
    ...options.map((option) => {
      const input = element('input', { type: 'radio', name })
      input.checked = option.value === selected
      input.addEventListener('change', () => choose(option.value))
      // Where the dialog puts the focus.
      if (input.checked) input.setAttribute('autofocus', '')
      return element('label', { title: option.title }, [input, literal(option.text)])
    }),
  ])
}

function button(text: string, onClick: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text ? [text] : [])
  made.addEventListener('click', onClick)
  return made
}

function element<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  attributes: Record<string, string> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

function shorten(address: Address): string {
  return `${address.slice(0, 8)}…${address.slice(-6)}`
}

/** Light or dark as the page is, else as the system is. Returns a function that stops following. */
function followScheme(host: HTMLElement): () => void {
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
