import { fireEvent, render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ChainIcon } from './ChainIcon.tsx'

test('behavior: an icon that cannot load is left out, and the next one is shown', () => {
  const chain = (iconUrl: string) => <ChainIcon chain={{ name: 'Broken', iconUrl }} size={24} />
  const { container, rerender } = render(chain('https://icons.example/gone.png'))
  const icon = () => container.querySelector('img') as HTMLImageElement
  fireEvent.error(icon())
  expect(icon().hidden).toBe(true)
  rerender(chain('https://icons.example/there.png'))
  expect(icon().hidden).toBe(false)
})

test('behavior: the initial that stands in for an icon is no text of the button', () => {
  const { container } = render(<ChainIcon chain={{ name: 'Ethereum', iconUrl: undefined }} size={24} />)
  expect(container.textContent).toBe('')
  expect(container.querySelector('[data-initial="E"]')).not.toBeNull()
})
