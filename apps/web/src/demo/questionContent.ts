import { type Address, formatEther } from 'viem'
import type { DecodedCall, DecodedMessage } from './readRequest.ts'
import { chainName, type DemoChainId } from './readRequest.ts'
import type { Texts } from './texts.ts'

type QuestionContent = { title: string; approve: string; content: Node[]; chosen?: () => { account: Address } }
type Of<kind extends Question['kind']> = Extract<Question, { kind: kind }>

/** Hex digits of a call's data that are shown. */
const dataLength = 400

/** Returns the texts and elements of a question. */
export function questionContent(question: Question, texts: Texts): QuestionContent {
  const site = [texts.site, location.host] as const
  switch (question.kind) {
    case 'connect':
      return connectContent(question, texts)
    case 'signMessage':
      return {
        title: question.message.format === 'text' ? texts.signMessage : texts.signMessageBytes,
        approve: texts.approveSign,
        content: [facts([site, [texts.account, question.account]]), block(texts.message, question.message.text)],
      }
    case 'signTypedData': {
      const { account, domainName, primaryType, text } = question
      return {
        title: texts.signTypedData,
        approve: texts.approveSign,
        content: [
          facts([site, [texts.account, account], [texts.domain, domainName], [texts.type, primaryType]]),
          block(texts.message, text),
        ],
      }
    }
    case 'send':
      return { title: texts.send, approve: texts.approveSend, content: sendContent(question, texts) }
    case 'switchChain':
      return {
        title: texts.switchChain,
        approve: texts.approveSwitch,
        content: [facts([site, [texts.network, `${chainName(question.from)} → ${chainName(question.to)}`]])],
      }
  }
}

function connectContent({ account, accounts }: Of<'connect'>, texts: Texts): QuestionContent {
  let chosen = account
  const options = accounts.map((value) => ({ value, text: shorten(value), title: value }))
  return {
    title: texts.connect,
    approve: texts.approveConnect,
    content: [
      facts([[texts.site, location.host]]),
      radioGroup(texts.account, options, account, (value) => {
        chosen = value
      }),
      element('p', { class: 'soft' }, [texts.connectText]),
      element('p', { class: 'soft' }, [texts.notice]),
    ],
    chosen: () => ({ account: chosen }),
  }
}

function sendContent({ account, chainId, to, value, data, call, maxFee, warning }: Of<'send'>, texts: Texts): Node[] {
  const shown = data.length > dataLength ? `${data.slice(0, dataLength)}…` : data
  return [
    facts([
      [texts.site, location.host],
      [texts.network, chainName(chainId)],
      [texts.from, account],
      [texts.to, to ?? texts.newContract],
      [texts.value, `${formatEther(value)} BNB`],
      [texts.call, call && `${call.name}(${call.arguments.join(', ')})`],
      [texts.fee, `${formatEther(maxFee)} BNB`],
    ]),
    ...(data !== '0x' && !call ? [block(texts.data, shown)] : []),
    ...(warning ? [element('p', { class: 'warning', role: 'alert' }, [`${texts.warning} ${warning}`])] : []),
  ]
}

export function shorten(address: Address): string {
  return `${address.slice(0, 8)}…${address.slice(-6)}`
}

/** A question of the wallet to its owner. */
export type Question =
  | { kind: 'connect'; accounts: readonly Address[]; account: Address }
  | { kind: 'signMessage'; account: Address; message: DecodedMessage }
  | { kind: 'signTypedData'; account: Address; primaryType: string; domainName: string | undefined; text: string }
  | {
      kind: 'send'
      account: Address
      chainId: DemoChainId
      to: Address | undefined
      value: bigint
      data: `0x${string}`
      call: DecodedCall | undefined
      maxFee: bigint
      /** Reason that the transaction would fail, if any. */
      warning: string | undefined
    }
  | { kind: 'switchChain'; from: DemoChainId; to: DemoChainId }

/** `account` is set for the question `connect`. */
export type Answer = { kind: 'approved'; account?: Address } | { kind: 'rejected' }

export type Ask = (question: Question) => Promise<Answer>

/** Creates an element with attributes and children. */
export function element<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  attributes: Record<string, string> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

export function button(text: string, onClick: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text ? [text] : [])
  made.addEventListener('click', onClick)
  return made
}

/** Renders names and values; values that are `undefined` are left out. */
function facts(rows: readonly (readonly [string, string | undefined])[]): HTMLElement {
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  return element(
    'dl',
    {},
    shown.flatMap(({ name, value }) => [element('dt', {}, [name]), element('dd', {}, [literal(value)])]),
  )
}

/** Renders addresses and calls in monospace. */
function literal(text: string): HTMLElement | string {
  return /\b0x/.test(text) ? element('code', {}, [text]) : text
}

/** Renders a scrollable block, reachable by keyboard. */
function block(name: string, text: string): HTMLElement {
  return element('pre', { tabindex: '0', role: 'group', 'aria-label': name }, [text])
}

type Option<value> = { value: value; text: string; title: string }

/** Renders radio buttons. */
export function radioGroup<value>(
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
      // `showModal` focuses this.
      if (input.checked) input.setAttribute('autofocus', '')
      return element('label', { title: option.title }, [input, literal(option.text)])
    }),
  ])
}
