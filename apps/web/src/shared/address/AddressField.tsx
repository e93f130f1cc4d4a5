import type { Address } from '@lineage/referral-api'
import { useWalletKit } from '@lineage/wallet-kit'
import ClearIcon from '@mui/icons-material/CloseOutlined'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { barHeight, fonts, largeText, phone } from '../../lib/theme.ts'
import { IconButton } from '../frame/Button.tsx'
import { KeptParameters, TextButton } from '../frame/controls.tsx'
import { LazyBoundary, lazyPart } from '../frame/ErrorBoundary.tsx'
import { useAccount } from '../frame/KitProvider.tsx'
import { AddressProblem } from './AddressProblem.tsx'
import { isAddressList } from './parseAddress.ts'
import { type SuggestionsProps, useAddressEntry, useSuggestionList } from './useAddress.ts'

const NameAnswer = lazyPart(() => import('./NameAnswer.tsx'))
const ScanButton = lazyPart(() => import('./ScanButton.tsx'))

type Props = {
  /** Accessible name. */
  label?: string
  /** Parameter of the URL. */
  name?: 'address' | 'to'
  /** The address in the URL, as written there. */
  text: string
  onAddress: (address: Address | undefined) => void
  /** Renders suggestions while an address is typed. */
  suggestions?: (props: SuggestionsProps) => ReactNode
  autoFocus?: boolean
  face?: 'large' | 'plain'
}

/** Renders the address field. A valid address starts its lookup at once; names and lists are accepted too. */
export function AddressField({
  label,
  name = 'address',
  text,
  onAddress,
  suggestions,
  autoFocus = false,
  face = 'plain',
}: Props) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const field = useAddressEntry(text, onAddress)
  const { entry, isWrong, change } = field
  const listbox = useSuggestionList({ id, field, isOffered: suggestions !== undefined })
  // A text that was typed before the app has started.
  const adopt = useEffectEvent(() => {
    if (input.current && input.current.value !== entry.draft) change(input.current.value)
  })
  useLayoutEffect(() => adopt(), [])
  const clear = () => {
    field.clear()
    input.current?.focus()
  }
  return (
    <Form
      role="search"
      aria-label={label}
      data-face={face}
      onSubmit={(event) => {
        event.preventDefault()
        if (!listbox.choose()) field.submit()
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) field.setList('closed')
      }}
    >
      <Line data-wrong={isWrong}>
        <Node aria-hidden />
        <input
          ref={input}
          id={id}
          name={name}
          aria-label={label ?? t('field.label')}
          aria-describedby={`${id}-problem`}
          aria-invalid={isWrong}
          {...listbox.inputProps}
          placeholder={t('field.placeholder')}
          value={entry.draft}
          onChange={(event) => change(event.target.value)}
          onPaste={(event) => {
            // A one-line field would join the lines.
            const pasted = event.clipboardData.getData('text')
            if (!isAddressList(pasted)) return
            event.preventDefault()
            change(pasted)
          }}
          // biome-ignore lint/a11y/noAutofocus: the page is this question
          autoFocus={autoFocus}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          inputMode="text"
          enterKeyHint="search"
        />
        {entry.draft !== '' && (
          <IconButton aria-label={t('field.clear')} onClick={clear} size="small">
            <ClearIcon fontSize="small" />
          </IconButton>
        )}
        <ScanButton
          onText={(text) => {
            change(text)
            input.current?.focus()
          }}
        />
        <MyWalletButton draft={entry.draft} onAddress={change} />
      </Line>
      <Below
        id={`${id}-problem`}
        role="status"
        // A new number with each key would be announced.
        aria-live={entry.parsed.kind === 'prefix' && !isWrong ? 'off' : 'polite'}
        data-wrong={isWrong}
      >
        {entry.parsed.kind === 'name' ? (
          <NameAnswer name={entry.parsed.name} isAsked={entry.isAsked} onFound={field.setResolved} onTake={change} />
        ) : (
          <AddressProblem parsed={entry.parsed} asked={entry.isAsked} />
        )}
      </Below>
      <KeptParameters without={[name]} />
      {suggestions && listbox.props && (
        // Keeps the focus in the field.
        <Listbox ref={listbox.ref} onMouseDown={(event) => event.preventDefault()}>
          <LazyBoundary>{suggestions(listbox.props)}</LazyBoundary>
        </Listbox>
      )}
    </Form>
  )
}

/** Enters the connected account; opens the connect dialog first if there is none. */
function MyWalletButton({ draft, onAddress }: { draft: string; onAddress: (address: Address) => void }) {
  const { t } = useTranslation()
  const account = useAccount()
  const kit = useWalletKit({ shouldThrow: false })
  if (account && draft === account) return null
  const enter = async () => {
    const address = account ?? (await kit?.openConnectDialog())?.address
    if (address) onAddress(address)
  }
  return (
    <OwnAddressButton type="button" onClick={() => void enter()}>
      {t('field.mine')}
    </OwnAddressButton>
  )
}

const Form = styled('form')(({ theme }) => ({
  position: 'relative',
  zIndex: 5,
  maxWidth: 760,
  [phone]: {
    position: 'sticky',
    top: barHeight,
    margin: '0 -20px',
    padding: '0 20px',
    background: theme.vars?.palette.background.default,
  },
  '&[data-face="large"] input': { fontSize: '1.25rem', height: 64, [phone]: { fontSize: '1rem', height: 56 } },
}))

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  borderBottom: `1px solid ${theme.vars?.palette.text.primary}`,
  transition: 'border-color 160ms ease-out, box-shadow 160ms ease-out',
  '&:focus-within': {
    borderColor: theme.vars?.palette.primary.main,
    boxShadow: `0 1px 0 ${theme.vars?.palette.primary.main}`,
    '& > span:first-of-type': { background: theme.vars?.palette.primary.main },
  },
  '&[data-wrong="true"]': {
    borderColor: theme.vars?.palette.error.main,
    boxShadow: `0 1px 0 ${theme.vars?.palette.error.main}`,
    '& > span:first-of-type': { background: theme.vars?.palette.error.main },
  },
  '& input': {
    flex: 1,
    minWidth: 0,
    height: 52,
    padding: 0,
    border: 0,
    outline: 0,
    background: 'none',
    color: 'inherit',
    font: `400 1.0625rem/1.4 ${fonts.address}`,
    textOverflow: 'ellipsis',
    borderRadius: 0,
    [phone]: { fontSize: '1rem' },
    '&::placeholder': { color: theme.vars?.palette.text.secondary, opacity: 1 },
  },
}))

const Node = styled('span')(({ theme }) => ({
  flex: 'none',
  width: 9,
  height: 9,
  borderRadius: '50%',
  background: theme.vars?.palette.text.primary,
  transition: 'background 160ms ease-out',
}))

const OwnAddressButton = styled(TextButton)({ flex: 'none', paddingLeft: 12, fontSize: '0.875rem' })

const Below = styled('div')(({ theme }) => ({
  minHeight: 32,
  padding: '6px 0 4px 21px',
  fontSize: '0.8125rem',
  lineHeight: 1.6,
  color: theme.vars?.palette.text.secondary,
  '&[data-wrong="true"]': { color: theme.vars?.palette.error.main },
  [largeText]: { minHeight: 0, padding: '0 0 0 21px' },
}))

const Listbox = styled('div')(({ theme }) => ({
  position: 'absolute',
  top: 'calc(100% - 4px)',
  left: 0,
  right: 0,
  maxHeight: 'min(440px, 55dvh)',
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  padding: 6,
  border: `1px solid ${theme.vars?.palette.divider}`,
  borderRadius: 12,
  background: theme.vars?.palette.background.paper,
  boxShadow: theme.shadows[8],
  '&:empty': { display: 'none' },
  [phone]: { left: 12, right: 12 },
}))
