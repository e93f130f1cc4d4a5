export { type SiweAuthenticationOptions, siweAuthentication } from '../siwe/siweAuthentication.ts'
