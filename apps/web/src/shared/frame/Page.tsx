import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { visuallyHidden } from '../../lib/theme.ts'

type Props = {
  title: string
  heading: string
  hint?: string
  /** Above the heading. */
  eyebrow?: ReactNode
  /** `hidden`: only screen readers read the heading. */
  size?: 'small' | 'large' | 'hidden'
  aside?: ReactNode
  children: ReactNode
}

/** Sets the document title and, after navigation to a page or another address, scrolls to the top and focuses the heading. */
export function Page({ title, heading, hint, eyebrow, size = 'small', aside, children }: Props) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  const { key, pathname, search } = useLocation()
  const address = new URLSearchParams(search).get('address')
  const way = useNavigationType()
  const addressBefore = useRef(address)
  const isFirst = useRef(key === 'default')
  useEffect(() => {
    document.title = `${title} · Lineage`
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page, whatever else changed
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else {
      window.scrollTo(0, 0)
      // Keep the focus of an autofocused field, or of a text that the page has focused itself.
      if (!document.activeElement?.matches('main :is(input, textarea, p)'))
        headingRef.current?.focus({ preventScroll: true })
    }
  }, [pathname])
  useEffect(() => {
    if (addressBefore.current === address) return
    addressBefore.current = address
    // After Back, the browser scrolls to where the visitor was.
    if (way !== 'POP') window.scrollTo(0, 0)
    // The link that was followed has left the page with the old answer, and the focus was lost.
    if (document.activeElement === document.body) headingRef.current?.focus({ preventScroll: true })
  }, [address, way])
  return (
    <Root data-size={size}>
      <header>
        <div>
          {eyebrow}
          <h1 ref={headingRef} tabIndex={-1}>
            {heading}
          </h1>
          {hint && <p>{hint}</p>}
        </div>
        {aside}
      </header>
      {children}
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  position: 'relative',
  isolation: 'isolate',
  '& > header': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    justifyContent: 'space-between',
    gap: '8px 24px',
    margin: '36px 0 10px',
    '& h1': { ...theme.typography.h1, fontSize: '1.375rem', margin: 0 },
    '& p': { margin: '10px 0 0', color: theme.vars?.palette.text.secondary },
  },
  '&[data-size="large"] > header': { margin: '96px 0 20px', '& h1': { fontSize: '2.25rem', letterSpacing: '0.01em' } },
  '@media (max-width: 767.95px)': {
    '& > header': { margin: '24px 0 6px' },
    '&[data-size="large"] > header': { margin: '36px 0 12px', '& h1': { fontSize: '1.75rem' } },
  },
  '&[data-size="hidden"]': {
    '@media (min-width: 768px)': { paddingTop: 20 },
    '& > header': visuallyHidden,
  },
}))
