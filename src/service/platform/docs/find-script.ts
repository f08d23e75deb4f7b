/** The script of the search page: it shows the entries that contain every typed word. */
export const findScript = `
const field=document.querySelector('input[type=search]'),found=document.querySelector('[role=status]')
const entries=[...document.querySelectorAll('.found li')]
const texts=new Map(entries.map((one)=>[one,one.textContent.toLowerCase()+' '+one.dataset.more]))
function search(){
  const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for(const one of entries)one.hidden=!words.every((word)=>texts.get(one).includes(word))
  found.textContent=words.length===0?'':entries.filter((one)=>!one.hidden).length+' of '+entries.length+' found'
}
field.addEventListener('input',search)
field.value=''
document.querySelector('[data-search]').hidden=false
`
