export { ReferrersPage as default } from '../features/referrers/ReferrersPage.tsx'
