import type { Address } from '@lineage/referral-api'
import ClearIcon from '@mui/icons-material/CloseOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { barHeight, fonts, phone } from '../../lib/theme.ts'
import { useAccount, useConnect } from '../../lib/wallet.ts'
import { lookupPath } from '../../paths.ts'
import { Later } from '../frame/Later.tsx'
import { AddressProblem } from './AddressProblem.tsx'
import { isList } from './isList.ts'
import { parseAddress } from './parseAddress.ts'

const NameAnswer = lazy(() => import('./NameAnswer.tsx'))
const ScanButton = lazy(() => import('./ScanButton.tsx'))

/** What is offered under the field: a listbox of this id, its options with the `role`, and their places in their ids. */
export type SuggestionsProps = { prefix: string; id: string; optionId: (index: number) => string; active: number }

type Props = {
  /** As the link has it. */
  text: string
  onAddress: (address: Address | undefined) => void
  /** Offers members while an address is being typed. */
  suggestions?: (props: SuggestionsProps) => ReactNode
  autoFocus?: boolean
  face?: 'large' | 'plain'
}

/** As short as the search takes it: 0x and two digits. */
const shortestPrefix = 4

/** The one field of the product: an address goes in, the lookup starts by itself. A name or a list goes in as well. */
export function AddressField({ text, onAddress, suggestions, autoFocus = false, face = 'plain' }: Props) {
  const { t } = useTranslation()
  const account = useAccount()
  const connect = useConnect()
  const navigate = useNavigate()
  const [parameters] = useSearchParams()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [{ draft, parsed }, setEntry] = useState(() => ({ draft: text, parsed: parseAddress(text) }))
  const [asked, setAsked] = useState(text !== '')
  const [named, setNamed] = useState<Address>()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)

  // A link, Back or Forward brings another address; what is typed after it counts again.
  const [shown, setShown] = useState(text)
  if (shown !== text) {
    setShown(text)
    setEntry({ draft: text, parsed: parseAddress(text) })
    setAsked(text !== '')
    setIsOpen(false)
  }

  const mayBecome = parsed.kind === 'prefix' || parsed.kind === 'name'
  const wrong =
    parsed.kind !== 'empty' && parsed.kind !== 'valid' && (!mayBecome || (asked && parsed.kind === 'prefix'))
  const prefix = parsed.kind === 'prefix' && parsed.text.length >= shortestPrefix ? parsed.text : undefined
  const deferredPrefix = useDeferredValue(prefix)
  const offers = suggestions && isOpen && prefix !== undefined ? suggestions : undefined

  const openList = (text: string) =>
    void navigate(lookupPath('search', parameters, { address: null, view: 'list' }), { state: { list: text } })
  const change = (value: string) => {
    if (isList(value)) return openList(value)
    const parsed = parseAddress(value)
    const found = parsed.kind === 'valid' ? parsed.address : undefined
    setEntry({ draft: found ?? value, parsed })
    setAsked(false)
    setNamed(undefined)
    setIsOpen(true)
    setActive(-1)
    if (found && found !== text) onAddress(found)
  }
  const clear = () => {
    setEntry({ draft: '', parsed: { kind: 'empty' } })
    setAsked(false)
    onAddress(undefined)
    input.current?.focus()
  }
  // It can be filled in as soon as it is seen.
  const takeTyped = useEffectEvent(() => {
    if (window.__typed__) change(window.__typed__)
    delete window.__typed__
  })
  useEffect(() => takeTyped(), [])
  const optionId = (index: number) => `${id}-option-${index}`
  const options = () => [...(list.current?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]
  const move = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !suggestions || prefix === undefined) return
    const count = options().length
    const next = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (event.key === 'Escape' && isOpen) {
      setIsOpen(false)
      setActive(-1)
    } else if (next !== undefined) {
      setIsOpen(true)
      // Before the first and after the last stands the field itself.
      if (count > 0) setActive(next < -1 ? count - 1 : next >= count ? -1 : next)
    } else return
    event.preventDefault()
  }

  return (
    <Form
      role="search"
      data-face={face}
      onSubmit={(event) => {
        event.preventDefault()
        const option = options()[active]
        if (option) option.click()
        else if (named) change(named)
        else setAsked(true)
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false)
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
          {...(suggestions && {
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': offers !== undefined,
            'aria-controls': `${id}-list`,
            ...(active >= 0 && { 'aria-activedescendant': optionId(active) }),
          })}
          placeholder={t('field.placeholder')}
          value={draft}
          onChange={(event) => change(event.target.value)}
          onKeyDown={move}
          onPaste={(event) => {
            // The field itself would take the lines together.
            const pasted = event.clipboardData.getData('text')
            if (!isList(pasted)) return
            event.preventDefault()
            openList(pasted)
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
        {draft !== '' && (
          <IconButton aria-label={t('field.clear')} onClick={clear} size="small">
            <ClearIcon fontSize="small" />
          </IconButton>
        )}
        <Later>
          <ScanButton
            onText={(text) => {
              change(text)
              input.current?.focus()
            }}
          />
        </Later>
        {(draft === '' || account === undefined || draft !== account) && (
          <Mine type="button" onClick={() => (account ? change(account) : connect())}>
            {t('field.mine')}
          </Mine>
        )}
      </Line>
      <Below id={`${id}-problem`} role="status" data-wrong={wrong}>
        {parsed.kind === 'name' ? (
          <Later>
            <NameAnswer name={parsed.name} isAsked={asked} onFound={setNamed} onTake={change} />
          </Later>
        ) : (
          <AddressProblem parsed={parsed} asked={asked} />
        )}
      </Below>
      {offers && deferredPrefix !== undefined && (
        // The field keeps its focus.
        <Offers ref={list} onMouseDown={(event) => event.preventDefault()}>
          <Suspense>{offers({ prefix: deferredPrefix, id: `${id}-list`, optionId, active })}</Suspense>
        </Offers>
      )}
    </Form>
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

const Offers = styled('div')(({ theme }) => ({
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
