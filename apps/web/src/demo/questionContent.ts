import { type Address, formatEther } from 'viem'
import { chainName } from './chains.ts'
import { block, element, facts, radioGroup } from './elements.ts'
import type { Question } from './questions.ts'
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
