// What the page of the self-test sees. The server allows no scripts within pages.
const seen = [];
const field = document.querySelector("#field");
for (const kind of ["pointerdown", "pointermove", "pointerup", "wheel"]) {
    field.addEventListener(kind, event => seen.push([kind, event.pointerType, event.clientX, event.clientY]));
}
document.addEventListener("keydown", event => seen.push(["key", event.key, event.shiftKey]));
document.querySelector("#button").addEventListener("click", () => seen.push(["button"]));
field.addEventListener("dragover", event => event.preventDefault());
const tell = async files => { for (const file of files) seen.push(["file", file.name, await file.text()]); };
field.addEventListener("drop", event => { event.preventDefault(); tell(event.dataTransfer.files); });
document.querySelector("#files").addEventListener("change", event => tell(event.target.files));
const save = () => Object.assign(document.createElement("a"),
    { href: URL.createObjectURL(new Blob(["saved"])), download: "saved.txt" }).click();
