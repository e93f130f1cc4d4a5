import { createFakeApi } from './fakeApi.ts'
import { serve } from './serve.ts'

// Serves the fake API, to look at pages: `node test/server.ts 5199`, then `LINEAGE_SERVER=http://127.0.0.1:5199 vite`.
const api = createFakeApi({
  mode: (process.argv[3] ?? 'ready') as 'ready',
  demo: process.env.DEMO !== 'off',
  communities: process.env.COMMUNITIES === 'several' ? 'several' : 'one',
  grades: process.env.GRADES === 'mixed' ? 'mixed' : 'exact',
  maps: process.env.MAPS === 'large' ? 'large' : 'forest',
  names: { service: process.env.NAMES === 'on', bnb: false },
})
const { url } = await serve(api.handle, Number(process.argv[2] ?? 5199))
if (process.argv[4] === 'live') setInterval(() => api.state.block++, 3_000)
console.log(url)
