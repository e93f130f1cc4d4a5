import { styled } from '@mui/material/styles'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { visuallyHidden } from '../../lib/theme.ts'
import { TextButton } from '../frame/controls.tsx'

type Props = {
  caption: string
  head: readonly string[]
  rows: () => readonly { key: string; cells: readonly ReactNode[] }[]
}

/** Renders a button that shows a chart's data as a table. */
export function DataTable({ caption, head, rows }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [state, setState] = useState<'closed' | 'open'>('closed')
  return (
    <>
      <TextButton
        type="button"
        aria-expanded={state === 'open'}
        aria-controls={id}
        onClick={() => setState(state === 'open' ? 'closed' : 'open')}
      >
        {t(state === 'open' ? 'chart.hideTable' : 'chart.showTable')}
      </TextButton>
      <Scroll
        id={id}
        hidden={state === 'closed'}
        tabIndex={state === 'open' ? 0 : -1}
        role="region"
        aria-label={caption}
      >
        {state === 'open' && (
          <table>
            <caption>{caption}</caption>
            <thead>
              <tr>
                {head.map((cell) => (
                  <th key={cell} scope="col">
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(({ key, cells: [first, ...others] }) => (
                <tr key={key}>
                  <th scope="row">{first}</th>
                  {others.map((cell, index) => (
                    <td key={index}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Scroll>
    </>
  )
}

const Scroll = styled('div')(({ theme }) => ({
  maxHeight: 360,
  overflow: 'auto',
  '& table': { width: '100%', borderCollapse: 'collapse', fontSize: '0.8125rem' },
  '& caption': visuallyHidden,
  '& th, & td': {
    padding: '7px 0 7px 16px',
    textAlign: 'right',
    fontWeight: 400,
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& th:first-of-type': { paddingLeft: 0, textAlign: 'left' },
  '& thead th': {
    position: 'sticky',
    top: 0,
    background: theme.vars?.palette.background.default,
    color: theme.vars?.palette.text.secondary,
  },
}))
