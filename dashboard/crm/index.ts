// The parts of the CRM that other areas show.
export { ClientField } from './client-field.tsx'
export { countryName } from './countries.ts'
