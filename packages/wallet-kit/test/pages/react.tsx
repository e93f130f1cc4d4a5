import { createRoot } from 'react-dom/client'

/** The smallest page with React. */
createRoot(document.getElementById('root') as HTMLElement).render(
  <main>
    <h1>One button</h1>
    <button type="button">Connect</button>
  </main>,
)
