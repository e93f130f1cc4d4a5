import { render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { createI18n, I18nProvider } from '../../lib/i18n.ts'
import { MoreRow } from '../lookup/NextPage.tsx'
import { Section } from '../lookup/Section.tsx'
import { useKeptFocus } from './Frame.tsx'

function Page() {
  useKeptFocus()
  const [shown, setShown] = useState(['outside', 'inside', 'other'])
  const leaving = (name: string) =>
    shown.includes(name) && (
      <button type="button" onClick={() => setShown(shown.filter((one) => one !== name))}>
        {name}
      </button>
    )
  return (
    <main>
      <h1>Page</h1>
      {leaving('outside')}
      <Section title="Part">{leaving('inside')}</Section>
      <div role="menu">{leaving('other')}</div>
    </main>
  )
}

test.each([
  ['outside', 'Page'],
  ['inside', 'Part'],
])('behavior: the focus of a button that leaves the page goes to a heading (%s)', async (name, heading) => {
  render(<Page />)
  const button = screen.getByRole('button', { name })
  button.focus()
  button.click()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: heading })))
})

test('behavior: the focus of a button that has loaded the last page goes to the number of rows', async () => {
  const i18n = await createI18n('en')
  const row = (hasMore: boolean) => (
    <I18nProvider i18n={i18n}>
      <MoreRow
        query={{ isFetching: false, error: null, hasNextPage: hasMore, fetchNextPage: vi.fn() }}
        texts={{ more: 'More', failed: 'Failed', shown: '135 shown' }}
      />
    </I18nProvider>
  )
  const { rerender } = render(row(true))
  screen.getByRole('button', { name: 'More' }).focus()
  rerender(row(false))
  expect(document.activeElement).toBe(screen.getByText('135 shown'))
})

test('behavior: a menu gives its focus back itself, and a button without the focus moves nothing', async () => {
  render(<Page />)
  const [inMenu, elsewhere] = ['other', 'outside'].map((name) => screen.getByRole('button', { name })) as [
    HTMLElement,
    HTMLElement,
  ]
  inMenu.focus()
  inMenu.click()
  await waitFor(() => expect(inMenu.isConnected).toBe(false))
  elsewhere.focus()
  elsewhere.blur()
  elsewhere.click()
  await waitFor(() => expect(elsewhere.isConnected).toBe(false))
  expect(document.activeElement).toBe(document.body)
})
