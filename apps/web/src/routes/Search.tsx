export { SearchPage as default } from '../features/search/SearchPage.tsx'
