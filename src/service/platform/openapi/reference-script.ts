/** What the reference does in a browser: it finds, as one types; `/` goes to the search field. */
export const referenceScript = `
const field=document.querySelector('input[type=search]'),found=document.querySelector('[role=status]')
const articles=[...document.querySelectorAll('article')]
const texts=new Map(articles.map((one)=>[one,one.textContent.toLowerCase()]))
function search(){
  const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let count=0
  for(const one of articles){
    one.hidden=!words.every((word)=>texts.get(one).includes(word))
    document.querySelector('nav a[href="#'+one.id+'"]').parentElement.hidden=one.hidden
    if(!one.hidden)count++
  }
  for(const group of document.querySelectorAll('[data-group]'))
    group.hidden=words.length>0&&!group.querySelector('article:not([hidden]),li:not([hidden])')
  found.textContent=words.length===0?'':count+' of '+articles.length+' found'
}
field.addEventListener('input',search)
field.value='';document.querySelector('[data-search]').hidden=false
document.addEventListener('keydown',(event)=>{
  if(event.key==='/'&&!event.ctrlKey&&!event.metaKey&&document.activeElement!==field){event.preventDefault();field.focus()}
  if(event.key==='Escape'&&document.activeElement===field){field.value='';search()}
})
`
