import type { Member, Token } from '@lineage/referral-api'
import CloseIcon from '@mui/icons-material/CloseOutlined'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { TextButton } from '../../shared/frame/TextButton.tsx'
import { type FilterTexts, filterNames, noFilter, readTexts } from './downlineFilter.ts'
import { FilterForm } from './FilterForm.tsx'
import type { Change } from './useDownlineView.ts'

type Props = { member: Member; token: Token | null; change: Change }

/** Shows the filters of a downline, each with a button to remove it, and the form to change them. */
export default function FilterPanel({ member, token, change }: Props) {
  const { t } = useLazyTranslation('filters')
  const [parameters] = useSearchParams()
  const [state, setState] = useState<'closed' | 'open'>('closed')
  const toggle = useRef<HTMLButtonElement>(null)
  const texts = readTexts(parameters)
  const given = filterNames.filter((name) => texts[name] !== '' && (name !== 'minVolume' || token))
  const apply = (next: FilterTexts) => {
    const changes = filterNames.map((name) => [name, next[name] || null])
    change({ ...Object.fromEntries(changes), level: 'all', sort: null, order: null })
    setState('closed')
    toggle.current?.focus()
  }
  return (
    <Root>
      <div className="line">
        <Button
          ref={toggle}
          size="small"
          variant="outlined"
          aria-expanded={state === 'open'}
          onClick={() => setState(state === 'open' ? 'closed' : 'open')}
        >
          {t(state === 'open' ? 'opened' : 'open')}
        </Button>
        {given.map((name) => {
          const value =
            name === 'bound' && /^(true|false)$/.test(texts.bound) ? t(`bound.${texts.bound as 'true'}`) : texts[name]
          const text = `${t(name)} ${value}${name === 'minVolume' ? ` ${token?.symbol}` : ''}`
          return (
            <button
              key={name}
              type="button"
              className="given"
              aria-label={t('remove', { filter: text })}
              onClick={() => {
                change({ [name]: null })
                toggle.current?.focus()
              }}
            >
              {text}
              <CloseIcon fontSize="inherit" />
            </button>
          )
        })}
        {given.length > 1 && (
          <TextButton
            type="button"
            onClick={() => {
              change(noFilter)
              toggle.current?.focus()
            }}
          >
            {t('clear')}
          </TextButton>
        )}
      </div>
      {state === 'open' && (
        <FilterForm key={parameters.toString()} texts={texts} member={member} token={token} onFilter={apply} />
      )}
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  '& .line': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px 10px', minHeight: 44 },
  '& .line .MuiButton-root': { minHeight: 36 },
  '& .given': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    minHeight: 36,
    padding: '0 10px',
    border: `1px solid ${theme.vars?.palette.primary.main}`,
    background: 'none',
    color: theme.vars?.palette.primary.main,
    font: 'inherit',
    fontSize: '0.8125rem',
    cursor: 'pointer',
  },
  '@media print': { '& .MuiButton-root, & form': { display: 'none' } },
}))
