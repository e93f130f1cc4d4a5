import { createRoot } from 'react-dom/client'

/** The least a page of React loads. */
createRoot(document.getElementById('root') as HTMLElement).render(
  <main>
    <h1>One button</h1>
    <button type="button">Connect</button>
  </main>,
)
