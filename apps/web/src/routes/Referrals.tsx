export { ReferralsPage as default } from '../features/referrals/ReferralsPage.tsx'
