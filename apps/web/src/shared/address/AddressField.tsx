import type { Address } from '@lineage/referral-api'
import ClearIcon from '@mui/icons-material/CloseOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { barHeight, fonts, phone } from '../../lib/theme.ts'
import { useAccount, useConnect } from '../../lib/wallet.ts'
import { AddressProblem } from './AddressProblem.tsx'
import { type ParsedAddress, parseAddress } from './parseAddress.ts'

type Props = {
  /** As the link has it. */
  text: string
  onAddress: (address: Address | undefined) => void
  /** Told of every change, for suggestions. */
  onTyping?: (parsed: ParsedAddress) => void
  autoFocus?: boolean
  face?: 'large' | 'plain'
}

/** The one field of the product: an address goes in, the lookup starts by itself. */
export function AddressField({ text, onAddress, onTyping, autoFocus = false, face = 'plain' }: Props) {
  const { t } = useTranslation()
  const account = useAccount()
  const connect = useConnect()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState(text)
  const [asked, setAsked] = useState(text !== '')

  // A link, Back or Forward brings another address; what is typed after it counts again.
  const [shown, setShown] = useState(text)
  if (shown !== text) {
    setShown(text)
    setDraft(text)
    setAsked(text !== '')
  }

  const parsed = parseAddress(draft)
  const wrong = parsed.kind !== 'empty' && parsed.kind !== 'valid' && (parsed.kind !== 'prefix' || asked)

  const change = (value: string) => {
    const next = parseAddress(value)
    const found = next.kind === 'valid' ? next.address : undefined
    setDraft(found ?? value)
    setAsked(false)
    onTyping?.(next)
    if (found && found !== text) onAddress(found)
  }
  const clear = () => {
    setDraft('')
    setAsked(false)
    onTyping?.({ kind: 'empty' })
    onAddress(undefined)
    input.current?.focus()
  }

  return (
    <Form
      role="search"
      data-face={face}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
      }}
    >
      <Line data-wrong={wrong}>
        <Node aria-hidden />
        <input
          ref={input}
          id={id}
          name="address"
          aria-label={t('field.label')}
          aria-describedby={`${id}-problem`}
          aria-invalid={wrong}
          placeholder={t('field.placeholder')}
          value={draft}
          onChange={(event) => change(event.target.value)}
          // biome-ignore lint/a11y/noAutofocus: the page is this question
          autoFocus={autoFocus}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          inputMode="text"
          enterKeyHint="search"
        />
        {draft !== '' && (
          <IconButton aria-label={t('field.clear')} onClick={clear} size="small">
            <ClearIcon fontSize="small" />
          </IconButton>
        )}
        {(draft === '' || account === undefined || draft !== account) && (
          <Mine type="button" onClick={() => (account ? change(account) : connect())}>
            {t('field.mine')}
          </Mine>
        )}
      </Line>
      <Below id={`${id}-problem`} role="status" data-wrong={wrong}>
        <AddressProblem parsed={parsed} asked={asked} />
      </Below>
    </Form>
  )
}

const Form = styled('form')(({ theme }) => ({
  maxWidth: 760,
  [phone]: {
    position: 'sticky',
    top: barHeight,
    zIndex: 5,
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

const Mine = styled('button')(({ theme }) => ({
  flex: 'none',
  minHeight: 44,
  padding: '0 0 0 12px',
  border: 0,
  background: 'none',
  color: theme.vars?.palette.primary.main,
  font: 'inherit',
  fontSize: '0.875rem',
  cursor: 'pointer',
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
}))

const Below = styled('div')(({ theme }) => ({
  minHeight: 32,
  padding: '6px 0 4px 21px',
  fontSize: '0.8125rem',
  lineHeight: 1.6,
  color: theme.vars?.palette.text.secondary,
  '&[data-wrong="true"]': { color: theme.vars?.palette.error.main },
}))
