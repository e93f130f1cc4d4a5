export { MetricsPage as default } from '../features/metrics/MetricsPage.tsx'
