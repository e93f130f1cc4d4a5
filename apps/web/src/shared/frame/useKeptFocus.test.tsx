import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { createI18n, I18nProvider } from '../../lib/i18n.ts'
import { MoreRow } from '../lookup/NextPage.tsx'
import { Section } from '../lookup/Section.tsx'
import { useKeptFocus } from './Frame.tsx'
import { Dialog } from './layers.tsx'

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

/** As when a label is deleted: its row and the focused button leave before the dialog does. */
function Rows() {
  useKeptFocus()
  const [row, setRow] = useState<'kept' | 'deleted'>('kept')
  const [dialog, setDialog] = useState<'closed' | 'open'>('closed')
  return (
    <main>
      <h1>Page</h1>
      <Section title="Rows">
        {row === 'kept' && (
          <button type="button" onClick={() => setDialog('open')}>
            Edit
          </button>
        )}
      </Section>
      {dialog === 'open' && (
        <Dialog open onClose={() => setDialog('closed')}>
          {row === 'kept' && (
            <button type="button" onClick={() => setRow('deleted')}>
              Delete
            </button>
          )}
        </Dialog>
      )}
    </main>
  )
}

test.each(['kept', 'deleted'])(
  'behavior: after a dialog about a row, which is %s, the focus is in its section',
  async (row) => {
    render(<Rows />)
    const edit = screen.getByRole('button', { name: 'Edit' })
    edit.focus()
    await userEvent.keyboard('{Enter}')
    const dialog = screen.getByRole('dialog')
    if (row === 'deleted') await userEvent.keyboard('{Tab}{Enter}')
    // The dialog takes back the focus that its button has lost.
    await waitFor(() => expect(dialog.parentElement?.contains(document.activeElement)).toBe(true))
    await userEvent.keyboard('{Escape}')
    const place = row === 'kept' ? edit : screen.getByRole('heading', { name: 'Rows' })
    await waitFor(() => expect(document.activeElement).toBe(place), { timeout: 3_000 })
  },
)

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
