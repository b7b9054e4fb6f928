// The words for the parts of a plan, which other areas show.
export { partTexts } from './organization/organization.words.ts'
