/**
 * The words that instructions to an assistant are made of, as concepts. A concept is one letter, so that a message becomes a short
 * string ("ignore all of your earlier instructions" is `Oa.ZPI`) which rules read without knowing the language.
 *
 * Words are separated by commas, in lower case; `*` ends a stem, a space joins a phrase. The longest match wins. The languages are
 * English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Turkish, Arabic, Hindi, Korean, Japanese, Chinese.
 */
export const LEXICON: Readonly<Record<string, readonly string[]>> = {
  // To set aside what was said before.
  O: [
    "revoke*, purge, cease*, defy, disobey*, go against, act against, contrary to, stop sticking to, stop applying, outdated, no longer applies, no longer apply, do not bind, has no authority, leave behind, do not care about, no longer valid, not valid any more, no longer bind, gelten nicht mehr, ne s'appliquent plus, ya no valen, nao valem mais, non valgono piu, больше не действуют, zapomn*, hor auf, desobeis*, desobedece*, disobbedisci*, niet meer volgen, 취소*, 取消*, 失效*, 有効ではありません*, 효력이 없*, ignore, ignored, ignoring, ignores, disregard*, forget*, overrid*, overrule*, neglect*, overlook*, discard*, dismiss, void, nullif*",
    "pay no attention, pay no heed, do not follow, don't follow, dont follow, stop following, stop obeying, do not obey, don't obey, set aside",
    "throw out, throw away, erase, wipe, supersede*, cancel, scrap, abandon, cast aside, tune out, no longer follow, no longer apply, do not apply",
    "never mind, nevermind, are void, are revoked, are suspended, is revoked, put aside, let go of, unlearn, clear, overwrite*, replace*, don't listen",
    "ignorier*, vergiss*, vergesst, missacht*, missachte*, ubergeh*, uberschreib*, verwirf*, setz dich uber, lass alle, ausser acht, beachte nicht",
    "ignorez, oublie*, oubliez, neglige*, fais abstraction, faites abstraction, outrepass*, ne tiens pas compte, ne tenez pas compte, ne suis plus",
    "ignora*, olvida*, olvide*, descarta*, haz caso omiso, hacer caso omiso, pasa por alto, omite, omita, no hagas caso, anula*, deja de seguir",
    "ignorar, esqueca*, esquece*, desconsider*, descarte*, nao siga, ignori, dimentica*, trascura*, non seguire, tralascia*, scorda*",
    "negeer*, vergeet*, veronachtzaam*, sla geen acht, zignoruj*, ignoruj*, zapomnij*, pomin*, nie stosuj, odrzuc*",
    "игнорируй*, проигнорируй*, игнорировать, забудь*, забыть, отмени*, не обращай внимания, пренебреги*, отбрось*, не следуй*, ігноруй*, забудьте",
    "yok say*, gormezden gel*, dikkate alma*, unut*, gecersiz say*, goz ardi et*, ignorera*, bortse*, glom, abaikan*, lupakan*, bo qua, quen",
    "تجاهل*, انس, انسى, تغاضى*, لا تتبع, تجاوز*, अनदेखा*, अनदेखी*, भूल*, नज़रअंदाज़*, नजरअंदाज*, उपेक्षा*",
    "무시하*, 무시해*, 무시한*, 무시, 잊어*, 잊고*, 잊으*, 따르지 말*, 따르지 마*, 무효*, 덮어써*, 덮어쓰*, 신경 쓰지 마*, 버리고*",
    "無視*, 忘れ*, 従わない*, 従うな*, 破棄*, 上書き*, 取り消*, 忽略*, 無視して*, 无视*, 忘记*, 忘記*, 忘掉*, 不要遵守*, 不要理会*, 抛开*, 放弃*, 不用管*, 推翻*, 别管*, 覆盖*",
  ],
  // To show or say.
  S: [
    "reveal*, show, print*, display*, output*, repeat*, tell, disclos*, expos*, leak*, dump*, share, give, list, echo*, recite*, quote*, paraphras*",
    "summari*, translate*, copy, paste, write out, spell out, write down, type out, divulge*, reproduce*, uncover*, regurgitat*, spit out, unveil*",
    "provide, read back, return, hand over, transcribe*, render, restate*, put in a code block, describe, cat, encode, convert, rephrase*, surrender",
    "zeig*, verrat*, gib, nenn*, druck*, wiederhol*, offenbar*, offenleg*, sag mir, sage mir, gebe, schreib*, teile mir, ausgeben, aus, ausgib*, lege offen",
    "montre*, affiche*, revele*, repete*, donne*, dis moi, dis-moi, imprime*, divulgue*, recopie*, traduis*, communique*, ecris*, livre",
    "muestra*, muestre*, revela*, imprime*, repite*, dime, di, dame, ensena*, escribe*, divulga*, comparte, mostrar, mostre*, revele*, repita*, diga, me diga",
    "exib*, imprima*, compartilhe*, mostra*, rivela*, stampa*, ripeti*, dimmi, svela*, dammi, scrivi*, elenca*, toon*, onthul*, herhaal*, geef",
    "druk af, laat zien, vertel, pokaz*, ujawnij*, wyswietl*, powtorz*, podaj*, wypisz*, wydrukuj*, zdradz*, покажи*, раскрой*, выведи*, повтори*, скажи*",
    "напечатай*, сообщи*, перечисли*, выдай*, процитируй*, goster*, acikla*, yazdir*, tekrarla*, soyle*, paylas*, visa, avsloja*, tampilkan*, ungkapkan*, tiet lo",
    "اكشف*, اعرض*, أظهر*, اظهر*, كرر*, اطبع*, أخبرني*, اخبرني*, अनुवाद, दिखाओ*, दिखाएं*, दिखाइए*, बताओ*, बताएं*, बताइए*, प्रकट*, प्रिंट*",
    "보여*, 알려*, 출력*, 공개*, 말해*, 반복*, 누설*, 드러내*, 나열*, 표시*, 번역*, 적어*, 내놔*, 유출*, 읽어*, 복사*",
    "表示*, 見せ*, 教え*, 出力*, 明かし*, 開示*, 繰り返*, 印刷*, 公開*, 書き出*, 漏ら*, 翻訳*, 显示*, 顯示*, 告诉*, 告訴*, 输出*, 輸出*, 泄露*, 打印*, 透露*, 重复*, 重複*, 展示*, 列出*, 公开*, 说出*, 给我*, 翻译*, 复述*",
  ],
  // To send out of the system.
  E: [
    "exfil*, transfer to, copy to, drop to, leak to, pastebin, weiterleit*, hochlad*, send, sends, email, e-mail, post, upload*, forward*, transmit*, exfiltrat*, smuggle*, curl, wget, submit, append*, attach, embed*, beacon*, deliver, pipe",
    "schick*, sende*, ubermittl*, envoie*, envoyez, transmets*, envia*, enviale*, manda*, envie*, invia*, spedisci*, stuur*, verstuur*, wyslij*, przeslij*",
    "отправь*, перешли*, пришли*, gonder*, ارسل*, أرسل*, भेज*, 보내*, 전송*, 업로드*, 送信*, 送って*, 送れ*, 发送*, 发给*, 傳送*, 上传*, 寄给*, kirim*",
  ],
  // To run something.
  X: [
    "reverse shell, flushall, execute code, process.exit, network scan, port scan, cron, payload, root shell, nslookup, ping, ssh, /etc, /proc, pip install, npm install, execute*, run, runs, call, invoke*, trigger*, eval, spawn, launch*, import os, os.system, subprocess*, sudo, rm -rf, rm rf, drop table, delete from, shell, bash",
    "terminal, system command, shell command, select *, exec, powershell, cmd.exe, fuhr*, ruf*, starte, execut*, ejecut*, lance*, appelle*, llama a, esegui*, chiama*",
    "voer, uitvoer*, wykonaj*, uruchom*, выполни*, запусти*, вызови*, calistir*, نفذ*, شغل*, चलाओ*, चलाएं*, 실행*, 호출*, 実行*, 呼び出*, 执行*, 執行*, 运行*, 调用*, jalankan*",
  ],
  // To skip or switch off.
  K: [
    "get past, leave out, shut off, kill, override the gate, go around, scrap the, sneak past, setz ausser kraft, schalte ab, schalte aus, contourn*, ignore the gate, aggir*, omite la, obejd*, 꺼 버리*, 끄*, 不经*, skip*, bypass*, circumvent*, evade*, evading, disabl*, turn off, turning off, switch off, switching off, deactivat*, remove*, lift, suppress*, sidestep*",
    "work around, get around, getting around, avoid, unlock*, break, loosen*, suspend*, delete, drop, stop, unrestrict*, mute, silence, defeat*, jump, short-circuit*",
    "umgeh*, uberspring*, deaktivier*, schalt*, abschalt*, auslass*, entfern*, losche*, hebel*, contourne*, desactive*, saute*, supprime*, passe outre, leve",
    "omiti*, salta*, saltarte, elude*, evita*, desactiva*, elimina*, contorn*, desativ*, desabilit*, pule, pular, remova*, burl*, aggira*, disattiva*, disabilita*, rimuovi*",
    "omzeil*, sla over, schakel*, verwijder*, obejdz*, pomij*, wylacz*, usun*, обойди*, отключи*, пропусти*, выключи*, удали*, сними, снять, atla*, devre disi*, kapat*",
    "عطل*, تخط*, أوقف*, बायपास*, बंद*, हटा*, 우회*, 건너뛰*, 비활성*, 해제*, 끄고, 꺼*, 생략*, 삭제*, 제거*, 回避*, 迂回*, スキップ*, 無効*, 解除*, オフ*, 外して*, 绕过*, 繞過*, 跳过*, 跳過*, 禁用*, 关闭*, 關閉*, 解除*, 去掉*, lewati*, nonaktifkan*",
  ],
  // To approve.
  A: [
    "as approved, as if approved, approved by, pre-authorised, granted, accept, waive, rubberstamp, 승인됐*, 승인 처리*, 已批准*, 承認されたこと*, 批准了*, approve*, authorize, authorise, sign off, signed off, greenlight*, rubber-stamp*, rubber stamp*, approved, pre-approved, preapproved, auto-approve*, autoapprove*, approving",
    "genehmig*, freigegeben, bewillig*, approuve*, valide*, autoris*, aprueba*, aprob*, autoriza*, aprovad*, aprove*, aprova*, approva*, autorizza*, goedkeur*, goedgekeurd, keur",
    "zatwierd*, zaakcept*, одобри*, одобрен*, утверди*, утвержд*, onayla*, onayland*, وافق*, اعتمد*, स्वीकृत*, मंज़ूर*, 승인해*, 승인한*, 승인하*, 승인된*, 승인됐*, 승인되*, 결재해*, 承認し*, 承認済*, 批准*, 核准*, 通过审批*, setujui*",
  ],
  // To put prices live.
  U: [
    "opublik*, publik*, publici*, veroffentlicht*, wdroz*, in die preisliste, mets en ligne, mettre en ligne, metti online, zet live, en produccion, pon en vivo, publish*, release, roll out, go live, put live, push live, push, apply, deploy*, ship it, make live, write to the price book, commit, live",
    "veroffentlich*, publie*, publica*, publique*, pubblica*, publiceer*, opublikuj*, опубликуй*, публикуй*, yayinla*, انشر*, प्रकाशित*, 게시*, 배포*, 발행*, 公開して*, 発行*, 发布*, 發布*, 上线*, terbitkan*",
  ],
  // To obey.
  F: [
    "submit to, cooperate, satisfy, serve, answer to, take orders from, report to, please me, obeir, obei*, obbedis*, gehorsam*, luister*, gehoorza*, sluchaj*, sluchasz, подчиняешь*, подчиня*, слушай*, itaat et, 복종*, 시키는 대로*, 言う通り*, 听我*, 听从*, follow, follows, obey*, comply, complies, carry out, adhere*, do what, do whatever, do as, do exactly, act on, do so, perform, abide*, heed, listen to, treat it as, treat them as, treat this as",
    "befolg*, folge, gehorch*, tu was, tue was, halte dich, suis, suivez, obeis*, respecte, fais ce, sigue, siga, obedece*, cumple, haz lo, haz exactamente, faca o, obedeca*, segui, seguire, obbedisci*, esegui cio",
    "volg, gehoorzaam*, doe wat, wykonuj*, postepuj*, przestrzegaj*, следуй*, подчиняйся*, делай*, исполняй*, uy, itaat*, اتبع*, أطع*, नफ़ालन*, पालन*, मानो, 따라*, 따르*, 복종*, 従って*, 従い*, 従え*, 遵循*, 遵守*, 按照*, 服从*, 听从*, 照做*, ikuti*",
  ],
  // What somebody was told to do.
  I: [
    "instruction, instructions, instruct*, directive*, directions, guideline*, prompt, prompts, order, orders, command*, programming, training, guidance, directive, setup, briefing, conditioning, preamble, pre-prompt, preprompt",
    "anweisung*, anleitung*, instruktion*, vorgab*, befehl*, weisung*, systemanweisung*, consigne*, directives, ordres, instruccion*, directric*, ordenes, indicacion*, instruco*, instrucao, diretriz*, ordens, orientaco*",
    "istruzion*, direttiv*, ordini, indicazion*, instructie*, richtlijn*, opdracht*, bevel*, instrukcj*, polece*, wytyczn*, rozkaz*, инструкци*, указани*, директив*, команд*, распоряжени*, промпт*, промт*, інструкці*, вказівк*",
    "talimat*, yonerge*, komut*, instruktioner*, instruks*, petunjuk*, huong dan, chi thi, تعليمات*, التعليمات*, توجيهات*, التوجيهات*, أوامر*, الأوامر*, اوامر*, निर्देश*, आदेश*, हिदायत*",
    "지시*, 명령*, 지침*, 프롬프트*, 안내사항*, 指示*, 命令*, 指令*, プロンプト*, 指針*, 提示词*, 提示詞*, 提示*, 要求, 说明, 設定",
  ],
  // What limits an assistant.
  L: [
    "rule, rules, ruleset, policy, policies, restriction*, limitation*, limit, limits, constraint*, boundar*, prohibition*, regulation*, context, conversation, ban, bans, norms",
    "regel*, richtlinie*, einschrankung*, beschrankung*, vorschrift*, regle*, limites, contrainte*, regla*, restricci*, limitaci*, politica*, regra*, restric*, limitac*, restrizion*, limiti, vincol*, regole, regola",
    "beperking*, regels, beleid, zasad*, ogranicze*, regul*, правил*, ограничени*, политик*, запрет*, обмежен*, kural*, kisitlama*, sinirlama*, regler, aturan*, batasan*, quy tac, القواعد*, قواعد*, القيود*, قيود*, नियम*, प्रतिबंध*, सीमाओं*",
    "규칙*, 규정*, 제한*, 정책*, 제약*, ルール*, 規則*, 制限*, 制約*, ポリシー*, 规则*, 規則*, 限制*, 约束*, 規定*, 规定*, 政策*",
  ],
  // The text before the conversation.
  Y: [
    "system prompt*, systemprompt*, system message*, system instruction*, initial prompt*, initial instruction*, hidden prompt*, hidden instruction*, developer message*, developer prompt*, developer instruction*",
    "secret instruction*, secret prompt*, original prompt*, original instruction*, your prompt, your instruction*, base prompt*, your programming, starting prompt*, system text, meta prompt*, master prompt*, confidential instruction*, internal instruction*",
    "pre-prompt*, your guidelines, your configuration, your directives, your rules, your initialization, starting instruction*, opening instruction*, your system, your context window, system directives, system rules, operating instructions, hidden rules, hidden guidelines, hidden context",
    "system-prompt*, systemanweisung*, systemnachricht*, prompt systeme*, prompt du systeme, invite systeme*, instructions systeme*, message systeme, prompt de sistema, prompt del sistema, prompt do sistema, mensaje del sistema, instrucciones del sistema, instrucoes do sistema",
    "prompt di sistema, istruzioni di sistema, messaggio di sistema, systeemprompt*, systeeminstructie*, systeembericht*, prompt systemowy*, instrukcje systemowe*, системный промпт*, системного промпта*, системные инструкции*, системную инструкцию*, системн*",
    "sistem istemi*, sistem prompt*, sistem talimat*, موجه النظام*, تعليمات النظام*, رسالة النظام*, सिस्टम प्रॉम्प्ट*, सिस्टम निर्देश*, सिस्टम संदेश*, 시스템 프롬프트*, 시스템프롬프트*, 시스템 지시*, 시스템 메시지*, 시스템 명령*, 초기 지시*, 초기 프롬프트*, 내부 지침*, 숨겨진 지시*, 비밀 지침*",
    "システムプロンプト*, システム指示*, システムメッセージ*, 初期プロンプト*, 内部指示*, 隠された指示*, 初期指示*, 系统提示*, 系統提示*, 系统指令*, 系统消息*, 系统信息*, 初始提示*, 初始指令*, 隐藏指令*, 内部指令*",
  ],
  // What came before.
  P: [
    "first user message, i arrived, i came, before me, we started, first message, this line, at the start of, until here, up to here, comes before, placed before, precedes, oberhalb, davor, avant, antes de esta, antes desta, prima di, до начала, dostales*, отменяю, previous, previously, prior, above, earlier, preceding, foregoing, before, existing, initial, initially, former, so far, until now, up to now, up until now, given to you, you were given, you have been given, you've been given, you got",
    "been told, were told, was told, at the top, at the start, at the beginning, beginning with, first line, thus far, hitherto, past, pre-existing, default, current, original, preloaded, you have received, you received, to date, at the very start, of this conversation",
    "vorherig*, vorig*, bisherig*, obig*, oben, fruher*, vorangegangen*, ursprunglich*, zuvor, precedent*, anterieur*, ci-dessus, d'avant, initiale*, anterior*, previ*, hasta ahora, de arriba, ate agora, acima, recebid*, precedenti, precedente, sopra, finora",
    "eerdere, vorige, voorgaand*, voorafgaand*, bovenstaand*, hierboven, poprzedni*, wczesniejsz*, powyzsz*, dotychczas*, предыдущ*, прежн*, ранее, выше, вышеуказанн*, прошл*, попередн*, onceki*, yukaridaki*, daha once*, tidigare, sebelumnya*, truoc do, truoc",
    "السابقة*, السابق*, أعلاه, سابق*, पिछल*, पूर्व*, पहले, ऊपर*, 이전*, 앞의*, 앞선*, 위의*, 기존*, 지금까지*, 앞서*, 여태*, 받은*, 以前*, これまで*, 今まで*, 上記*, 前の*, 先の*, 先ほど*, 元の*, 之前*, 先前*, 以上*, 上面*, 前面*, 此前*, 原有*, 原来*, 所给*",
  ],
  // The assistant, spoken to.
  Z: [
    "you, your, yours, yourself, you're, youre, you've, you'll, u, ur, thy, thou, du, dein, deine, deinen, deiner, deines, deinem, dir, dich, ihre, ihren, ihrer, ihr, eure, tu, te, toi, ton, ta, tes, vos, votre, vous",
    "tus, ti, usted, ustedes, su, sus, voce, seu, sua, seus, suas, teu, tua, teus, tuas, tuo, tuoi, tue, vostre, jij, je, jouw, jullie, uw, ty, twoj*, twoich, twoje, ci, jestes, ты, твой, твои, твоих, твоим*, твоя, твою, тебя, тебе, вы, ваши, ваших, вас, вам, ваш",
    "sen, senin, sana, seni, sizin, anda, kamu, ban, أنت, انت, तुम, तुम्हार*, आप, आपके, आपकी, आपका, अपने, अपना, अपनी, 너는, 너의, 네, 당신*, 너에게, 넌, 네가, 너, あなた*, 君, 君の, お前*, 你, 你的, 您, 您的, 你们*",
  ],
  // A new beginning.
  N: [
    "from now on, from here on, from this point, from this moment, new, instead, henceforth, starting now, going forward, now, hereafter, as of now, from today, updated, effective immediately, next, begin, real, actual, henceforward, onwards, for the rest",
    "ab jetzt, ab sofort, von nun an, neue, neuen, neuer, stattdessen, jetzt, nun, desormais, a partir de maintenant, des maintenant, dorenavant, nouvelle*, nouveau*, maintenant, a partir de ahora, desde ahora, nuev*, en su lugar, ahora, de ahora en adelante",
    "a partir de agora, nov*, agora, em vez disso, de agora em diante, d'ora in poi, da ora, da adesso, nuov*, invece, adesso, ora, vanaf nu, nieuwe, voortaan, nu, od teraz, teraz, nowe, odtad, с этого момента, отныне, теперь, новые, новая, новый, новую, вместо этого, с этой минуты",
    "bundan sonra, bundan boyle, su andan itibaren, yeni, simdi, mulai sekarang, sekarang, tu gio, من الآن*, الآن*, الجديدة*, अब से, अब, नए, नई, नया, 이제부터*, 지금부터*, 이제, 새로운*, 대신*, 앞으로*, 今から*, これから*, 以降*, 新しい*, 代わりに*, 今後*, 从现在*, 從現在*, 现在*, 新的*, 接下来*, 今后*, 而是*",
  ],
  // An assistant, as a thing.
  M: [
    "ai, a.i., assistant*, model, language model, llm, llms, chatbot*, bot, gpt, chatgpt, claude, gemini, copilot, agent, agents, machine, robot, neural network, ki, ki-assistent*, assistent*, sprachmodell*, ia, asistente*, assistente*, modele de langage, modelo de lenguaje, modelo de linguagem",
    "modello linguistico, taalmodel*, asystent*, ии, ассистент*, модель, бот, асистент*, нейросеть, yapay zeka*, asistan*, المساعد*, مساعد*, الذكاء الاصطناعي*, एआई*, सहायक*, मॉडल*, 인공지능*, 어시스턴트*, 챗봇*, 비서*, 모델*, アシスタント*, 人工知能*, モデル*, チャットボット*, 助手*, 人工智能*, 语言模型*, 机器人*, asisten*, tro ly",
  ],
  // To play somebody else.
  R: [
    "act as, acting as, act like, pretend*, roleplay*, role-play*, role play*, simulat*, imagine, you are now, you're now, youre now, you will be, persona, character, become, impersonat*, behave*, take on the role, play the role, play the part, assume the role, assume the identity, in the role of, embody, hypothetical*, let's play, game, fictional*, story, stay in character, respond as, answer as, speak as, transform into, you are a, you are an, you are the, evil twin, alter ego, opposite day, novel, scene, switch to, switch into, enter",
    "spiel*, tu so, stell dir vor, du bist jetzt, du bist nun, verhalte dich, rollenspiel*, agiere, in der rolle, joue*, fais comme si, imagine que, tu es maintenant, tu es desormais, comporte*, agis comme, jeu de role*, fais semblant, actua*, finge*, imagina*, haz de cuenta, eres ahora, ahora eres, comportate, juega, interpreta*",
    "finja*, aja como, atue como, imagine que, voce e agora, agora voce e, agora es, comporte-se, fingi*, fai finta, immagina*, comportati, agisci, sei ora, ora sei, adesso sei, doe alsof, gedraag je, je bent nu, speel, udawaj*, zachowuj sie, wciel sie, jestes teraz, teraz jestes, wyobraz sobie",
    "притворись*, притворяйся*, представь*, веди себя*, ты теперь, теперь ты, действуй как, сыграй*, играй роль, вообрази*, gibi davran*, rol yap*, gibi hareket*, artik sen, تظاهر*, تصرف*, تخيل*, أنت الآن*, मान लो*, नाटक*, कल्पना*, अभिनय*, की तरह व्यवहार*, अब तुम, 역할*, 연기*, 인 척*, 척해*, 척하*, 처럼 행동*, 가정*, 상상*, 行动*, なりき*, ふりを*, ふりし*, 演じ*, 役割*, 役を*, 振る舞*, 想像*, として行動*, 扮演*, 假装*, 假裝*, 假设*, 想象*, 你现在是*, 你現在是*, 充当*, berpura-pura*, bertindaklah*, hay dong vai",
  ],
  // An assistant without limits.
  D: [
    "dan, do anything now, developer mode*, god mode, godmode, jailbroken, unrestricted*, uncensored*, unfiltered*, no restrictions, without restrictions, without limits, without any limits, without rules, debug mode, admin mode, maintenance mode, unlocked mode, dan mode, jailbreak mode, sudo mode, test mode, root mode, super user mode, superuser mode, evil*, amoral*, lawless, freed, unbound*, free from, no longer bound, freed from, can do anything, no filters, unleashed, no limits, no rules, override mode, service mode, diagnostic mode, unsafe mode, safety off, no guardrails, unmoderated, unaligned, aim, stan, rogue*",
    "entwicklermodus*, ohne einschrankung*, uneingeschrankt*, ohne regeln, ohne filter, debugmodus, wartungsmodus, mode developpeur*, sans restriction*, sans limite*, sans filtre*, sans regle*, mode debug, mode dieu, mode administrateur, modo desarrollador*, modo de desarrollador*, sin restricciones, sin limites, sin filtros, sin reglas, sin censura, modo dios, modo administrador",
    "modo desenvolvedor*, modo de desenvolvedor*, sem restricoes, sem limites, sem filtros, sem regras, sem censura, modalita sviluppatore, senza restrizioni, senza limiti, senza filtri, senza regole, ontwikkelaarsmodus*, zonder beperking*, zonder regels, zonder filters, tryb deweloper*, tryb programist*, bez ogranicze*, bez zasad, bez filtrow, режим разработчика*, режиме разработчика*, без ограничени*, без правил*, без цензуры, без фильтров",
    "gelistirici modu*, sinirsiz*, kisitlamasiz*, kuralsiz*, وضع المطور*, بلا قيود*, بدون قيود*, دون قيود*, بدون قواعد*, डेवलपर मोड*, बिना किसी प्रतिबंध*, बिना प्रतिबंध*, बिना नियम*, बिना किसी नियम*, 개발자 모드*, 제한 없*, 제한없*, 무제한*, 제약 없*, 규칙 없*, 규칙이 없*, 제한이 없*, 탈옥*, 관리자 모드*, 디버그 모드*, 開発者モード*, 制限のない*, 制限なし*, 制限なく*, 無制限*, 制約のない*, ルールのない*, デバッグモード*, 管理者モード*, 开发者模式*, 開發者模式*, 没有限制*, 不受限制*, 无限制*, 没有任何限制*, 不受任何*, 越狱*, 管理员模式*, 调试模式*, 上帝模式*, mode pengembang*, tanpa batasan*, tanpa aturan*",
  ],
  // What protects.
  G: [
    "check*, checking, filtering, monitoring, compliance agent, policy agent, alarms, detection, kontrolle*, safety*, filter*, guardrail*, moderation, content policy, content policies, safeguard*, protection*, ethic*, censor*, security, policy check*, guard, guards, policy engine, checks, controls, validation*, moral*, guard rails, safety rails, access control*, permission check*, rate limit*, policy agent, policy gate, compliance check*, audit log*, audit trail, logging, alignment, inhibition*, change limit*, change cap, price cap*",
    "sicherheit*, filter*, schutz*, prufung*, moderations*, securite*, filtre*, garde-fou*, protection*, controle*, journal d'audit, seguridad*, filtro*, salvaguard*, proteccion*, verificaci*, seguranca*, verificac*, protec*, sicurezza*, protezion*, controlli*, filtri*",
    "veiligheid*, beveiliging*, controle*, zabezpiecze*, filtr*, kontrol*, bezpieczenstw*, безопасност*, фильтр*, защит*, проверк*, guvenlik*, filtre*, denetim*, الأمان*, السلامة*, المرشحات*, الحماية*, सुरक्षा*, फ़िल्टर*, फिल्टर*, जांच*, 안전*, 필터*, 보안*, 보호*, 검증*, 검사*, 감사 로그*, 安全*, フィルタ*, セキュリティ*, 保護*, 検証*, チェック*, 监控*, 过滤*, 過濾*, 审核*, 检查*, 防护*, 审查*, 合规*, keamanan*",
  ],
  // A person's decision.
  V: [
    "zatwierdz*, akceptac*, validac*, freizeichn*, sign-offs, signature, second approver, approval token*, approval threshold*, approval record*, approval gate*, onayini, onaya, approval*, approver*, sign-off*, signoff*, review, reviews, gate, gates, audit, four-eyes, four eyes, human in the loop, confirmation, confirming, authorization, authorisation, permission, permissions, consent, second pair of eyes, dual control, asking, asking anyone, human, reviewer*, waiting, oversight, maker-checker",
    "genehmigung*, freigabe*, zustimmung*, vier-augen*, bestatigung*, ruckfrage*, nachfragen, approbation*, validation, autorisation*, aval, accord, aprobaci*, autorizaci*, visto bueno, confirmaci*, permiso, aprovac*, autorizac*, confirmac*, permissao, approvazion*, autorizzazion*, conferma, permesso",
    "goedkeuring*, toestemming*, akkoord, zatwierdzeni*, zgod*, akceptacj*, одобрени*, согласовани*, подтвержден*, разрешени*, утверждени*, onay, onayi*, onaysiz*, izin, الموافقة*, موافقة*, إذن*, अनुमोदन*, मंजूरी*, स्वीकृति*, अनुमति*, 승인, 승인을*, 승인 절차*, 승인 없이*, 결재, 결재를*, 결재 없이*, 검토*, 허가*, 허락*, 承認*, 許可*, 確認*, レビュー*, 审批*, 審批*, 批复*, 许可*, 许可, 授权*, 确认*, persetujuan*, phe duyet",
  ],
  // Secrets.
  C: [
    "environment*, env, redis, vault password, process env, internal urls, internal ports, secret key*, secret token*, private data, admin password, database password*, memory, config, configuration, zugangscode*, api key*, apikey*, api_key*, password*, secret, secrets, credential*, env vars, environment variable*, .env, env file, connection string*, private key*, access key*, access token*, bearer token*, jwt, auth token*, token, tokens, redis url, redis_url, database url, db password, process.env, /etc/passwd, ssh key*, service account*, encryption key*, signing key*, session id*, cookies, config file*, source code, openai_api_key, aws_secret*, printenv, internal url*, internal endpoint*, tool definitions, function definitions, tool schema*, function schema*, list of tools, internal tool*, internal data, hidden tool*, vault, webhook secret*, keystore",
    "passwort*, passworter*, kennwort*, zugangsdaten, api-schlussel*, schlussel, geheimnis*, umgebungsvariable*, mot de passe, mots de passe, cle api, cles api, cle d'api, cles d'api, identifiants, jeton*, variables d'environnement, contrasena*, clave api, claves api, clave de api, claves de api, credencial*, variables de entorno, secretos",
    "senha*, chave de api, chaves de api, chave da api, chaves da api, credenciais, segredo*, variaveis de ambiente, chiave api, chiavi api, credenzial*, segreti, variabili d'ambiente, wachtwoord*, api-sleutel*, inloggegevens, omgevingsvariabel*, haslo, hasla, hasel, klucz api, klucze api, klucza api, kluczy api, dane logowania, zmienne srodowiskowe",
    "пароль, пароли, паролей, ключ api, ключи api, api-ключ*, апи ключ*, секрет*, учетные данные, учётные данные, переменные окружения, parola*, sifre*, api anahtar*, gizli anahtar*, كلمة المرور*, كلمات المرور*, مفتاح*, مفاتيح*, पासवर्ड*, एपीआई कुंजी*, api कुंजी*, गुप्त*, 비밀번호*, 패스워드*, 암호*, api 키*, api키*, 비밀 키*, 비밀키*, 환경 변수*, 환경변수*, 자격 증명*, 토큰*, パスワード*, apiキー*, api キー*, 秘密鍵*, 環境変数*, 認証情報*, 機密*, 密码*, 密碼*, api密钥*, api 密钥*, 密钥*, 密鑰*, 环境变量*, 凭证*, 凭据*, 口令*, 机密*, kata sandi*, mat khau",
  ],
  // What belongs to others.
  T: [
    "other companies, other tenants', other clients, competitor's, users of this system, tenant acme, neighbour tenant, everyone's, another team's, other people, 다른 고객*, 别人*, other tenant*, another tenant*, other user*, another user*, other customers' data, other customer's data, another customer's, other companies', another company's, competitor's conversation*, other session*, another session*, someone else's, somebody else's, every tenant*, all tenants, all users, other people's, other clients', another client's, previous user*, cross-tenant, other accounts, other conversation*, all sessions, tenant b, different tenant, different user, other team's chats",
    "anderer mandant*, anderen mandant*, andere mandant*, anderer nutzer, anderen nutzer*, anderer kunden, anderen kunden, fremde*, autre client*, autres clients, autres utilisateurs, autre utilisateur, autre locataire, autres locataires, otros usuarios, otro usuario, otros clientes, otro cliente, otros inquilinos, otro inquilino, outros usuarios, outro usuario, outros clientes, outros inquilinos, altri utenti, altro utente, altri clienti, altri tenant",
    "andere gebruiker*, andere klanten, andere huurder*, innych uzytkownik*, innych klient*, других пользовател*, других клиент*, другого клиент*, другого пользовател*, других арендатор*, чужие, чужой, чужую, diger kullanici*, diger musteri*, baska kullanici*, المستخدمين الآخرين*, العملاء الآخرين*, مستخدم آخر*, अन्य उपयोगकर्ता*, दूसरे ग्राहक*, दूसरे उपयोगकर्ता*, 다른 사용자*, 다른 고객사*, 다른 테넌트*, 타 고객*, 타사*, 다른 회사*, 他のユーザー*, 他のテナント*, 他の顧客*, 他社*, 别的用户*, 其他用户*, 其他客户*, 其他租户*, 别的客户*, 别的租户*, pengguna lain*",
  ],
  // Who claims a right.
  W: [
    "admin, admins, administrator*, developer, developers, root, superuser*, ceo, cfo, owner, creator*, openai, anthropic, engineer, engineering team, security team, sysadmin*, operator, it department, your maker*, your boss, your developer*, red team*, pentester*, penetration tester*, authorized personnel, authorised personnel, system owner, vendor support, root access, elevated*, clearance, authority, superadmin*, staff engineer",
    "geschaftsfuhrer*, entwickler*, administrateur*, developpeur*, pdg, administrador*, desarrollador*, director general, creador*, desenvolvedor*, criador*, amministratore*, sviluppator*, beheerder*, ontwikkelaar*, administrator*, programist*, админ*, администратор*, разработчик*, директор*, создател*, yonetici*, gelistirici*, المسؤول*, المطور*, مطور*, एडमिन*, व्यवस्थापक*, डेवलपर*, 관리자*, 개발자*, 대표이사*, 사장*, 管理者*, 開発者*, 管理员*, 管理員*, 开发者*, 開發者*, 创造者*, pengembang*",
  ],
  // Talk about such things.
  Q: [
    "phishing, awareness, detect*, attempt, attempts, metric, metrics, rate, rates, blocked, test case*, example*, red-team*, definition, mean, means, article, report, reports, study, paper, blog*, dashboard*, kpi*, benchmark*, statistics, incident*, explain, how many, how often, how do, how does, how can we, percentage, trend, vendor, classifier*, course, workshop, whitepaper, talk, risk register, slide*, policy document*, what is a, what is an, what does, definition of, difference between, false positive*, prevent*, defend*, defence, defense, protect*, mitigat*, handle, handles, fraction, log line*, glossary, refus*, threat model*, finding*, owasp, survey, postmortem, post-mortem, faq, runbook*, playbook*, quiz",
    "erkenn*, angriff*, quote, was bedeutet, beispiel*, bericht*, schulung*, wie viele, wie oft, detecte*, tentative*, taux, que signifie, exemple*, rapport, formation, combien, detecta*, intento*, tasa, que significa, ejemplo*, informe*, formacion, cuantos, cuantas, tentativa*, taxa, exemplo*, treinamento, esempi*, cosa significa, tentativi, tasso, quanti, voorbeeld*, wat betekent, hoeveel, przyklad*, co oznacza, ile, пример*, что значит, что такое, сколько, доля, попыт*, ornek*, ne demek, kac, 탐지*, 예시*, 사례*, 몇 건*, 비율*, 의미*, 교육*, 뜻*, 지표*, 検出*, 検知*, 例*, 事例*, 意味*, 研修*, 何件*, 指標*, 割合*, 检测*, 例子*, 案例*, 什么意思*, 是什么意思*, 多少*, 比例*, 培训*, 指标*",
  ],
  // Kept from sight.
  H: [
    "hidden, secret*, confidential*, internal, concealed, private, sensitive, undisclosed, behind the scenes, classified, proprietary, geheim*, versteckt*, vertraulich*, intern*, cache, cachees, caches, secrete*, confidentiel*, oculta*, oculto*, secreta*, secreto*, confidencial*, ocultas, segret*, nascost*, riservat*, verborgen*, geheime, vertrouwelijk*, ukryt*, tajn*, poufn*, скрыт*, секретн*, тайн*, конфиденц*, внутренн*, gizli*, سري*, المخفية*, السرية*, छिपे*, छुपे*, गोपनीय*, 숨겨진*, 비밀*, 숨긴*, 내부*, 기밀*, 隠され*, 秘密*, 内部*, 機密*, 隐藏*, 隱藏*, 秘密*, 内部*, 保密*",
  ],
  // To decode.
  B: [
    "decod*, base64, base32, rot13, rot-13, hex, hexadecimal, decrypt*, decipher*, cipher*, unscramble*, backwards, in reverse, reversed, reverse the, caesar, morse, encoded, encrypted, url-encoded, percent-encoded, binary, ascii, leetspeak, leet, unicode, concatenat*, join the, combine*, put together, glue, stitch*, dekodier*, entschlussel*, verschlussel*, ruckwarts, decode*, dechiffre*, a l'envers, decodific*, descifra*, al reves, decodifiqu*, ao contrario, decifra*, al contrario, decodeer*, ontcijfer*, achterstevoren, odkoduj*, zdekoduj*, odszyfruj*, od tylu, декодируй*, расшифруй*, раскодируй*, задом наперед, coz*, tersten*, فك تشفير*, डिकोड*, 디코드*, 디코딩*, 해독*, 거꾸로*, 복호*, 합쳐*, 이어 붙*, デコード*, 解読*, 復号*, 逆さ*, 逆から*, つなげ*, 解码*, 解碼*, 破译*, 解密*, 倒过来*, 拼接*, 拼起来*, 连起来*, 反转*",
  ],
  // The attack by its name.
  J: [
    "prompt injection*, injection attack*, jailbreak*, prompt-injection*, injections, social engineering, prompt leak*, prompt attack*, 프롬프트 인젝션*, 프롬프트 주입*, 탈옥 시도*, プロンプトインジェクション*, ジェイルブレイク*, 提示词注入*, 提示注入*, 越狱攻击*, prompt-injektion*, инъекц*, джейлбрейк*",
  ],
  a: [
    "all, any, every, all the, every one, all of, all of the, everything, each, entire, whole, anything, alle, allen, aller, alles, samtliche*, jede*, tous, toutes, tout, toute, todas, todos, todo, toda, tutte, tutti, tutto, tudo, qualquer, wszystk*, все, всё, всех, всю, любые, tum, butun, her, semua, tat ca, جميع, كل, सभी, सब, 모든*, 모두*, 전부*, 다, 전체*, すべて*, 全て*, 全部*, あらゆる*, 所有*, 一切*, 任何*",
  ],
  n: [
    "no, not, without, never, don't, dont, cannot, can't, cant, won't, nor, none, doesn't, isn't, aren't, needn't, no need, unless, ohne, kein, keine, keinen, keiner, nicht, nie, niemals, sans, aucun*, pas, jamais, ne, sin, ningun*, nunca, jamas, sem, nenhum*, nao, senza, nessun*, non, mai, zonder, geen, niet, nooit, bez, zadn*, nie, nigdy, без, никаких, не, нет, никогда, asla, olmadan, hicbir, بدون, دون, لا, أي, बिना, नहीं, कोई, मत, 없이*, 없는*, 없다*, 없어*, 않고*, 말고*, 마라*, 하지 마*, なしで*, なしに*, なく*, ない*, せずに*, 没有*, 沒有*, 无需*, 不用*, 不要*, 无须*, 未经*, 不必*, 不受*, 不再*, tanpa, khong",
  ],
  m: [
    "me, us, my, our, mir, uns, mein*, moi, nous, mon, mes, mi, mis, nos, minha*, meu*, mio, mia, mij, mnie, nam, мне, нам, bana, bize, لي, मुझे, हमें, 나에게*, 내게*, 나한테*, 私に*, 我",
  ],
  w: [
    "what, what's, whats, which, how, why, when, where, who, was, welche*, wie, warum, wann, quel*, quoi, pourquoi, comment, combien, que, cual*, como, por que, cuando, qual, quais, quando, che, cosa, quali, come, perche, wat, welke, hoe, waarom, jak*, co, dlaczego, kiedy, что, какие, каков*, какой, какая, как, почему, когда, hangi*, ne, nasil, neden, ما, ماذا, كيف, لماذا, क्या, कैसे, क्यों, कौन*, 무엇*, 뭐*, 어떤*, 어떻게*, 왜*, 언제*, 何*, どの*, どう*, なぜ*, いつ*, 什么*, 什麼*, 哪些*, 怎么*, 为什么*",
  ],
  t: [
    "document*, text, email, mail, message, messages, following, below, paragraph*, attachment*, page, webpage, website, file, files, csv, json, comment*, note, notes, ticket*, pdf, row, cell, column, description, string, payload, snippet, block, dokument*, nachricht, folgende*, datei*, texte, courriel, suivante*, suivant, fichier*, documento*, texto, correo, siguiente*, archivo*, mensaje, seguinte*, arquivo*, mensagem, testo, seguente*, messaggio, bericht, tekst, bestand*, volgende*, wiadomosc*, ponizsz*, plik*, текст*, документ*, письм*, сообщени*, следующ*, ниже, файл*, metin*, belge*, asagidaki*, النص*, المستند*, التالي*, दस्तावेज़*, संदेश*, पाठ*, 문서*, 메일*, 메시지*, 다음*, 아래*, 파일*, 텍스트*, 文書*, メール*, メッセージ*, 次の*, 以下*, ファイル*, テキスト*, 文档*, 邮件*, 消息*, 以下*, 下面*, 文件*, 文本*",
  ],
  i: [
    "i am, i'm, im, this is your, as the, as your, as an, on behalf of, speaking as, we are, ich bin, je suis, soy, como, eu sou, sou, sono, ik ben, jestem, я, ben, أنا, मैं, 나는*, 저는*, 난, 私は*, 俺は*, 我是*, here is your, it's me",
  ],
  s: [
    "respond, reply, answer, say, state, write, speak, start your, begin your, end your, finish your, antworte*, beantworte*, sag, reponds*, repondez, dis, commence, responde*, contesta*, rispondi*, rispond*, di', antwoord*, zeg, odpowiada*, odpowiedz*, powiedz*, отвечай*, ответь*, скажи, yanitla*, cevap*, أجب*, قل, उत्तर*, जवाब*, कहो, 대답*, 답변*, 답해*, 응답*, 答え*, 回答*, 返答*, 返信*, 言って*, 回复*, 回覆*, 说*",
  ],
  o: [
    "only, exactly, nothing but, nothing else, verbatim, word for word, literally, in full, exact, as is, just, word-for-word, letter by letter, completely, full, nur, ausschliesslich, wortlich, wortwortlich, vollstandig*, uniquement, seulement, mot pour mot, textuellement, integralement, solo, solamente, unicamente, literalmente, textualmente, palabra por palabra, somente, apenas, palavra por palavra, soltanto, esclusivamente, parola per parola, alleen, letterlijk, woord voor woord, tylko, wylacznie, slowo w slowo, doslownie, только, дословно, слово в слово, полностью, sadece, yalnizca, kelimesi kelimesine, فقط, حرفيا*, केवल, सिर्फ, शब्दशः, 오직*, 만, 그대로*, 전문*, 그냥, だけ*, のみ*, そのまま*, 一字一句*, 全文*, 只*, 仅*, 原文*, 逐字*, 一字不差*",
  ],
  // What the product is about: prices, costs, numbers.
  c: [
    "price*, pricing, cost*, margin*, revenue, profit*, discount*, sku*, item*, product*, customer*, quarter*, forecast*, demand, elasticit*, outlier*, segment*, region*, tier*, budget*, spend*, invoice*, bill, billing, sales, competitor*, market*, churn, usage, instance*, cluster*, storage, currency, emea, apac, percent, list price*, surcharge*, fee, fees, tax*, vat, freight, rebate*, contract*, sku, volume*, inventory, stock, valve*, motor*, pump*, sensor*, column, data, kosten, preis*, marge*, kunde*, umsatz, rabatt*, prix, cout*, marges, client*, remise*, precio*, coste*, margen*, cliente*, descuento*, preco*, custo*, margem, desconto*, prezz*, cost*, margin*, sconto*, prijs*, klant*, korting*, cen*, koszt*, marz*, klient*, цен*, стоимост*, марж*, клиент*, скидк*, fiyat*, maliyet*, السعر*, سعر*, الأسعار*, मूल्य*, कीमत*, लागत*, 가격*, 비용*, 마진*, 매출*, 할인*, 고객*, 수익*, 이익*, 원가*, 価格*, コスト*, 利益*, 売上*, 顧客*, 割引*, 値上げ*, 値下げ*, 价格*, 成本*, 利润*, 折扣*, 毛利*, 销售*, 收入*",
  ],
};

/**
 * Key words whose rot13 or reverse in a message says that it is written so. They are long enough not to be words of their own then.
 */
export const ENCODED_KEYS: readonly string[] =
  "ignore disregard forget override previous instructions instruction system prompt reveal password secret rules without approval approve publish bypass disable pretend restrictions developer everything repeat guidelines policy policies credentials above print unrestricted execute delete tenant safety follow assistant hidden".split(
    " ",
  );
