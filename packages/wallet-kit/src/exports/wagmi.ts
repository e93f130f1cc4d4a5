export { kitConnector } from '../wagmi/kitConnector.ts'
