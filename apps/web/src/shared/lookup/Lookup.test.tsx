import type { Address } from '@lineage/referral-api'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { announced, renderApp } from '../../../test/renderApp.tsx'
import { Announcer } from '../frame/Announcer.tsx'
import { useAnswerShown } from './AnswerBoundary.tsx'
import { Lookup } from './Lookup.tsx'

function Shown({ address }: { address: Address }) {
  useAnswerShown(address, 'Team 3')
  return null
}

function Part({ address }: { address: Address }) {
  const [isShown, setIsShown] = useState(false)
  return isShown ? (
    <Shown address={address} />
  ) : (
    <button type="button" onClick={() => setIsShown(true)}>
      show
    </button>
  )
}

test('behavior: an answer is announced without being rendered again', async () => {
  const address = addressOf(1)
  let renders = 0
  const content = (
    <>
      <Announcer />
      <Lookup name="community" skeleton={null}>
        {() => {
          renders++
          return <Part address={address} />
        }}
      </Lookup>
    </>
  )
  const { close } = await renderApp(`/?address=${address}`, { content })
  onTestFinished(close)
  const show = await screen.findByRole('button', { name: 'show' })
  const before = renders
  await userEvent.click(show)
  await waitFor(() => expect(announced()).toContain(`${document.title.replace(' · Lineage', '')} · Team 3`))
  expect(renders).toBe(before)
})
