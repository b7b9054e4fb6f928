import { useOrganization } from '../data/organization.tsx'
import { Page } from '../parts/page.tsx'
import { useWords, words } from '../words/words.ts'

const texts = words({ es: { title: 'Inicio' }, en: { title: 'Home' } })

export function Home() {
  const { title } = useWords(texts)
  const { name } = useOrganization()
  return <Page title={title}>{name}</Page>
}
