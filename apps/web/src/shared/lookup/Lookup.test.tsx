import type { Address } from '@lineage/referral-api'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { announced, renderApp } from '../../../test/renderApp.tsx'
import { Announcer } from '../frame/Announcer.tsx'
import { StaleNote } from './Answer.tsx'
import { useAnswerShown } from './AnswerBoundary.tsx'
import { FailureView } from './FailureView.tsx'
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

test('accessibility: an old answer is announced once, while its age grows', async () => {
  function Outage() {
    const [age, setAge] = useState(10_000)
    return (
      <>
        <Announcer />
        <StaleNote failure={{ kind: 'unreachable' }} since={Date.now() - age} onRetry={() => {}} isRetrying={false} />
        <button type="button" onClick={() => setAge(600_000)}>
          later
        </button>
      </>
    )
  }
  const { close } = await renderApp('/', { language: 'en', content: <Outage /> })
  onTestFinished(close)
  await userEvent.click(screen.getByRole('button', { name: 'later' }))
  expect(screen.getByText('Lookup service unreachable. Showing data from 10 minutes ago.')).toBeTruthy()
  expect(announced()).toEqual(['Lookup service unreachable. Showing data from 10 seconds ago.'])
})

test('accessibility: a failure is not announced again by each retry', async () => {
  const failed = { failure: { kind: 'unreachable' }, onRetry: () => {} } as const
  function Outage() {
    const [isRetrying, setIsRetrying] = useState(false)
    return (
      <>
        <FailureView {...failed} isRetrying={isRetrying} />
        <button type="button" onClick={() => setIsRetrying(true)}>
          later
        </button>
      </>
    )
  }
  const { close } = await renderApp('/', { language: 'en', content: <Outage /> })
  onTestFinished(close)
  const alert = screen.getByRole('alert')
  const said = alert.textContent
  await userEvent.click(screen.getByRole('button', { name: 'later' }))
  expect(screen.getByRole('button', { name: 'Retrying…' })).toBeTruthy()
  expect(alert.textContent).toBe(said)
})
