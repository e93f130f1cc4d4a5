import { type RefObject, useEffect, useId, useRef } from 'react'
import { type DialogProps, PlainDialog } from '../dialog/PlainDialog.tsx'
import { ChainIcon } from '../icons/ChainIcon.tsx'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { Disconnect } from '../parts/Account.tsx'
import * as Network from '../parts/Network.tsx'
import { type ShownChain, useNetworkState } from '../parts/Network.tsx'

/** Lists the app's chains, marks the chain of the wallet, and switches to another one. */
export function NetworkDialog(props: DialogProps) {
  return (
    <Network.Root>
      <Content {...props} />
    </Network.Root>
  )
}

function Content(props: DialogProps) {
  const { chains, isSwitching, warning, limit, failure } = useNetworkState()
  const t = useTranslate()
  const ref = useRef<HTMLDivElement>(null)
  useAnnouncedSwitch(ref, props.open)
  return (
    <PlainDialog
      {...props}
      title={t('switchNetworks')}
      statusId={useId()}
      description={[warning, limit].filter(Boolean).join(' ') || t('networkDescription')}
      status={isSwitching ? t('confirmInWallet') : failure?.text}
    >
      <div className="wk-networks wk-own" tabIndex={-1} ref={ref}>
        <Network.Warning className="wk-network-warning wk-own" />
        <Network.List className="wk-rows wk-own">
          {chains.map((chain) => (
            <ChainRow key={chain.chain.id} chain={chain} />
          ))}
        </Network.List>
        <Network.Outcome className="wk-network-outcome wk-own">
          <span className="wk-own">{failure?.text ?? limit}</span>
          {failure?.detail && <small className="wk-network-detail wk-own">{failure.detail}</small>}
        </Network.Outcome>
        <Disconnect className="wk-plain wk-row wk-network-disconnect wk-own">
          <Icon name="leave" />
          <span className="wk-own">{t('disconnect')}</span>
        </Disconnect>
      </div>
    </PlainDialog>
  )
}

/** For screen readers only. */
const hidden = {
  position: 'fixed',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const

/**
 * Announces the network that the wallet has switched to, after the dialog has closed. Its live region is added when the dialog
 * opens, because screen readers ignore a region that is added together with its text. It is removed five seconds later.
 */
function useAnnouncedSwitch(ref: RefObject<Element | null>, open: boolean): void {
  const { chains } = useNetworkState()
  const t = useTranslate()
  const region = useRef<HTMLElement>(undefined)
  const asked = useRef<ShownChain['chain']>(undefined)
  useEffect(() => {
    const element = document.createElement('div')
    // Inline, because it stands in the page, whose rules win over those of a layer.
    Object.assign(element.style, hidden)
    element.setAttribute('aria-live', 'polite')
    ref.current?.closest('dialog')?.after(element)
    region.current = element
    return () => void setTimeout(() => element.remove(), 5_000)
  }, [ref])
  useEffect(() => {
    const { chain } = chains.find(({ switching }) => switching) ?? {}
    asked.current = chain ?? asked.current
    if (open || !chains.some(({ chain, current }) => current && chain === asked.current)) return
    const text = `${asked.current?.name} ${t('connected')}`
    asked.current = undefined
    // After the focus has returned.
    setTimeout(() => region.current?.append(text), 300)
  })
}

function ChainRow({ chain }: { chain: ShownChain }) {
  const { isSwitching } = useNetworkState()
  const t = useTranslate()
  return (
    <li className="wk-own">
      <Network.Chain chain={chain} className="wk-plain wk-row wk-own">
        <ChainIcon chain={{ name: chain.chain.name, iconUrl: chain.iconUrl }} size={32} />
        <span className="wk-network-name wk-own">{chain.chain.name}</span>
        {chain.current && !isSwitching && (
          <span className="wk-network-mark wk-own" data-tone="accent">
            <span className="wk-own">{t('connected')}</span>
            <Icon name="check" size={16} />
          </span>
        )}
        {chain.switching && <span className="wk-network-mark wk-own">{t('confirmInWallet')}</span>}
        {!chain.current && !chain.offered && <span className="wk-network-mark wk-own">{t('networkInWallet')}</span>}
      </Network.Chain>
    </li>
  )
}
