import { listMembers } from '#contract/identity/organization.ts'
import { useList } from '../../data/read.ts'
import { Page } from '../../parts/page.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useWords, words } from '../../words/words.ts'

const texts = words({ es: { title: 'Miembros' }, en: { title: 'Members' } })

export function Members() {
  const { title } = useWords(texts)
  const members = useList(listMembers)
  return (
    <Page title={title}>
      {members.isLoading ? (
        <Skeleton label={title} />
      ) : (
        <ul>
          {members.items.map(member => (
            <li key={member.personId}>{member.name}</li>
          ))}
        </ul>
      )}
    </Page>
  )
}
