import { styled } from '@mui/material/styles'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { type AddressList, parseList, textLimit } from '../../shared/address/parseList.ts'
import { Button } from '../../shared/frame/Button.tsx'

/** Renders the form for a list of addresses. */
export function ListForm({ text, onList }: { text: string; onList: (text: string) => void }) {
  const { t } = useLazyTranslation('search')
  const id = useId()
  const [draft, setDraft] = useState(text)
  const [isAsked, setIsAsked] = useState(false)
  const deferred = useDeferredValue(draft)
  const list = useMemo(() => parseList(deferred.slice(0, textLimit)), [deferred])
  const isEmpty = list.entries.length === 0
  const submit = () => {
    setIsAsked(true)
    if (parseList(draft.slice(0, textLimit)).entries.length > 0) onList(draft.slice(0, textLimit))
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        aria-label={t('list.field')}
        aria-describedby={`${id}-notes`}
        aria-invalid={isAsked && isEmpty}
        placeholder={t('list.placeholder')}
        value={draft}
        rows={9}
        onChange={(event) => {
          setDraft(event.target.value)
          setIsAsked(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
        }}
        // biome-ignore lint/a11y/noAutofocus: the page is this question
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
      <footer>
        <Button type="submit" variant="contained" color="primary" sx={{ minHeight: 44 }}>
          {t('list.start')}
        </Button>
        <div id={`${id}-notes`} role="status" data-wrong={isAsked && isEmpty}>
          {isEmpty ? (
            isAsked && t('list.noneRead')
          ) : (
            <ListNotes list={list} isCut={deferred.length >= textLimit} withUnread />
          )}
        </div>
      </footer>
    </Form>
  )
}

const Form = styled('form')(({ theme }) => ({
  maxWidth: 760,
  '& textarea': {
    display: 'block',
    boxSizing: 'border-box',
    width: '100%',
    minHeight: 220,
    padding: '14px 16px',
    border: `1px solid ${theme.vars?.palette.text.primary}`,
    borderRadius: 0,
    background: 'none',
    color: 'inherit',
    font: `400 1rem/1.7 ${fonts.address}`,
    resize: 'vertical',
    '&::placeholder': { color: theme.vars?.palette.text.secondary, opacity: 1 },
    '&:focus': {
      outline: 0,
      borderColor: theme.vars?.palette.primary.main,
      boxShadow: `inset 0 0 0 1px ${theme.vars?.palette.primary.main}`,
    },
    '&[aria-invalid="true"]': { borderColor: theme.vars?.palette.error.main, boxShadow: 'none' },
  },
  '& footer': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '10px 20px', paddingTop: 16 },
  '& footer > div': { flex: '1 1 240px', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& footer > div[data-wrong="true"]': { color: theme.vars?.palette.error.main },
}))

type Props = { list: AddressList; isCut: boolean; withUnread?: boolean }

/** Shows how many addresses of a list were read, merged and left out. */
export function ListNotes({ list: { entries, repeated, beyond, unread }, isCut, withUnread = false }: Props) {
  const { t } = useLazyTranslation('search')
  const format = useFormat()
  const plain = [
    t('list.count', { count: entries.length }),
    ...(repeated > 0 ? [t('list.repeated', { count: repeated })] : []),
    ...(withUnread && unread.length > 0 ? [t('list.unread', { count: unread.length })] : []),
  ]
  return (
    <>
      <span>{plain.join(' · ')}</span>
      {beyond > 0 && <Left>{t('list.beyond', { count: beyond, number: format.count(beyond) })}</Left>}
      {isCut && <Left>{t('list.cut')}</Left>}
    </>
  )
}

const Left = styled('span')(({ theme }) => ({ display: 'block', color: theme.vars?.palette.warning.main }))
